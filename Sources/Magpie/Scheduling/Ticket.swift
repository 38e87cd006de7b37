import MagpieConcurrency
import MagpieHTTP

/// One caller's claim to a result: it is delivered exactly once, to everybody who asks, whatever is cancelled when.
///
/// A ticket joins the caller to a shared job through `attach`. Cancelling delivers `.cancelled` at once and then leaves
/// the job; an outcome that comes later is dropped.
final class Ticket<Output: Sendable>: Sendable {
    typealias Outcome = Result<Output, WebImageError>

    private struct Observer {
        var progressed: (@Sendable (HTTPProgress) -> Void)?
        var completed: @Sendable (Outcome) -> Void
    }

    private struct State {
        var priority: HTTPPriority
        var operation: (any SharedOperation)?
        var outcome: Outcome?
        var progress: HTTPProgress?
        var observers: [Observer] = []
    }

    private let state: Lock<State>

    init(priority: HTTPPriority) {
        state = Lock(State(priority: priority))
    }

    /// A ticket for something that is there already.
    convenience init(_ outcome: Outcome) {
        self.init(priority: .normal)
        deliver(outcome)
    }

    var isFinished: Bool {
        state.withLock { $0.outcome != nil }
    }

    var priority: HTTPPriority {
        get { state.withLock { $0.priority } }
        set {
            let operation = state.withLock { state in
                state.priority = newValue
                return state.operation
            }
            operation?.setPriority(newValue)
        }
    }

    /// The ticket as a waiter in a job that makes just what it is for.
    var waiter: SharedJob<Output>.Waiter {
        SharedJob<Output>.Waiter(priority: priority, progressed: report, completed: deliver)
    }

    /// What the ticket waits for.
    ///
    /// When it is cancelled already, so is the operation.
    func attach(_ operation: any SharedOperation) {
        let (isOver, priority) = state.withLock { state in
            if state.outcome == nil { state.operation = operation }
            return (state.outcome != nil, state.priority)
        }
        if isOver { operation.cancel() } else { operation.setPriority(priority) }
    }

    /// Gives the ticket its outcome, unless it has one.
    func deliver(_ outcome: Outcome) {
        let (observers, operation) = state.withLock { state in
            guard state.outcome == nil else { return ([Observer](), nil as (any SharedOperation)?) }
            state.outcome = outcome
            defer {
                state.observers = []
                state.operation = nil
            }
            return (state.observers, state.operation)
        }
        for observer in observers {
            observer.completed(outcome)
        }
        if case .failure(.cancelled) = outcome { operation?.cancel() }
    }

    func report(_ progress: HTTPProgress) {
        let observers = state.withLock { state in
            state.progress = progress
            return state.observers
        }
        for observer in observers {
            observer.progressed?(progress)
        }
    }

    func cancel() {
        deliver(.failure(.cancelled))
    }

    /// Calls `completed` with the outcome: now when there is one, else when it comes.
    ///
    /// Progress made before is told at once.
    func observe(
        progressed: (@Sendable (HTTPProgress) -> Void)? = nil,
        completed: @escaping @Sendable (Outcome) -> Void
    ) {
        let (outcome, progress) = state.withLock { state in
            if state.outcome == nil { state.observers.append(Observer(progressed: progressed, completed: completed)) }
            return (state.outcome, state.progress)
        }
        if let progress { progressed?(progress) }
        if let outcome { completed(outcome) }
    }

    /// The outcome, waited for.
    ///
    /// Cancelling the waiting Swift task does not cancel the ticket.
    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            observe { continuation.resume(returning: $0) }
        }
    }

    /// The outcome, waited for; cancelling the waiting Swift task cancels the ticket.
    func outcomeCancelledWithTask() async -> Outcome {
        await withTaskCancellationHandler {
            await outcome()
        } onCancel: {
            cancel()
        }
    }
}
