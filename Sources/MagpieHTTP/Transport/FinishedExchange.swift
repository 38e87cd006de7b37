/// Stands for an exchange that was over before it began.
final class FinishedExchange: HTTPExchange {
    func cancel() {}
    func resume() {}
}
