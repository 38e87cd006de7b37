import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// A transport without a network: each exchange gets what the script tells its delegate while it is being started.
final class ScriptedTransport: HTTPTransport {
    /// One exchange, which counts how often it was told to go on.
    final class Exchange: HTTPExchange {
        private let resumes = Lock(0)

        var resumeCount: Int { resumes.withLock { $0 } }

        func cancel() {}
        func resume() { resumes.withLock { $0 += 1 } }
    }

    /// The exchange that all starts return.
    let exchange = Exchange()

    /// With which settings exchanges were started.
    let settings = Recorder<HTTPTransportSettings>()

    private let script: @Sendable (HTTPRequest, any HTTPExchangeDelegate) -> Void

    init(_ script: @escaping @Sendable (HTTPRequest, any HTTPExchangeDelegate) -> Void) { self.script = script }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        self.settings.record(settings)
        script(request, delegate)
        return exchange
    }

    func shutdown() {}
}
