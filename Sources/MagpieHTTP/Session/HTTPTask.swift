import Foundation
import MagpieConcurrency
import Synchronization

/// One request in a session, from the moment it waits for its turn to its end.
///
/// All of it may be used from any thread. A task keeps its session alive as long as it lives itself.
public final class HTTPTask: Sendable, Identifiable {
    /// Where a task stands.
    public enum State: Sendable, Hashable {
        /// In the session's queue.
        case waiting
        /// On its way.
        case running
        /// On its way, and held back by its receiver.
        case paused
        /// Over.
        case finished
    }

    /// A number that no other task of the process has.
    public let id: UInt64

    /// What was asked for, with the session's default fields; redirects do not change it.
    public let originalRequest: HTTPRequest

    let session: HTTPSession
    let consumer: any TaskConsumer
    let core: Lock<TaskCore>

    private static let lastID = Atomic<UInt64>(0)

    init(request: HTTPRequest, session: HTTPSession, consumer: any TaskConsumer) {
        id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        originalRequest = request
        self.session = session
        self.consumer = consumer
        core = Lock(TaskCore(request: request))
    }

    /// How urgent the task is; setting it moves the task in the queue while it waits and does nothing later.
    public var priority: HTTPPriority {
        get { core.withLock { $0.priority } }
        set { session.setPriority(newValue, of: self) }
    }

    /// Where the task stands.
    public var state: State { core.withLock { $0.state } }

    /// How much of the body has arrived.
    public var progress: HTTPProgress { core.withLock { $0.progress } }

    /// How the task ended, once it has: with what it cost, or with an error.
    public var result: Result<HTTPTaskMetrics, HTTPError>? { core.withLock { $0.result } }

    /// What the task cost, once it has ended well.
    public var metrics: HTTPTaskMetrics? { try? result?.get() }

    /// Ends the task, at whatever stage it is: its connection is freed, and it finishes with `HTTPError.cancelled`.
    ///
    /// Returns at once; does nothing where the task has finished.
    public func cancel() {
        switch core.withLock({ $0.cancel() }) {
        case .none: break
        case .withdraw(let ticket):
            if session.withdraw(ticket) { finish(.failure(.cancelled)) }
        case .cancel(let exchange): exchange.cancel()
        }
    }

    /// Goes on after the receiver of a chunk asked for a pause; does nothing otherwise.
    public func resume() {
        core.withLock { $0.resume() }?.resume()
    }

    /// The head of the answer, after redirects.
    ///
    /// Cancelling the Swift task that waits ends the waiting alone; this task goes on.
    ///
    /// - Throws: What ended the task before a head came, or `HTTPError.cancelled` where the waiting was cancelled.
    public func response() async throws(HTTPError) -> HTTPResponse {
        let waiter = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = core.withLock { $0.headResult(orWaitAs: waiter, continuation) }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let continuation = core.withLock { $0.abandonHead(waiter) }
            continuation?.resume(returning: .failure(.cancelled))
        }
        return try result.get()
    }
}

// MARK: - The way of a task

extension HTTPTask {
    /// Starts the exchange; called by the session when it is the task's turn.
    func begin() {
        let start = core.withLock { $0.begin(timeouts: originalRequest.timeouts ?? session.configuration.timeouts) }
        switch start {
        case .start(let request, let hop, let timeouts): startExchange(request, hop: hop, timeouts: timeouts)
        case .finish(let result): finish(result)
        }
    }

    private func startExchange(_ request: HTTPRequest, hop: Int, timeouts: HTTPTimeouts) {
        var settings = session.transportSettings
        settings.timeouts = timeouts
        let relay = TaskRelay(task: self, hop: hop)
        let exchange = session.transport.start(request, settings: settings, delegate: relay)
        switch core.withLock({ $0.keep(exchange, hop: hop) }) {
        case .none: break
        case .cancel: exchange.cancel()
        case .resume: exchange.resume()
        }
    }

    fileprivate func receive(_ response: HTTPResponse, hop: Int) {
        let policy = session.configuration.redirects
        switch core.withLock({ $0.receive(response, hop: hop, policy: policy) }) {
        case .ignore: break
        case .abandon(let exchange): exchange?.cancel()
        case .deliver(let waiters):
            for waiter in waiters { waiter.resume(returning: .success(response)) }
            consumer.receive(response, of: self)
        }
    }

    fileprivate func receive(_ chunk: Data, hop: Int) -> HTTPFlow {
        switch core.withLock({ $0.receive(byteCount: chunk.count, hop: hop) }) {
        case .ignore: return .proceed
        case .abandon(let exchange):
            exchange?.cancel()
            return .proceed
        case .deliver: break
        }
        guard consumer.receive(chunk, of: self) == .pause else { return .proceed }
        return core.withLock { $0.pause() }
    }

    fileprivate func exchangeFinished(_ result: Result<HTTPTaskMetrics, HTTPError>, hop: Int) {
        switch core.withLock({ $0.exchangeFinished(result, hop: hop) }) {
        case .ignore: break
        case .next: begin()
        case .finish(let result): finish(result)
        }
    }

    /// Ends the task: gives its place to the next one, then tells whoever waits.
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        guard let ending = core.withLock({ $0.finish(result) }) else { return }
        session.taskEnded(ending.ticket)
        if case .failure(let error) = result {
            for waiter in ending.waiters { waiter.resume(returning: .failure(error)) }
        }
        consumer.finish(result, of: self)
    }
}

/// Receives one exchange for its task; a late call of an exchange that a redirect left behind is told by its number.
private final class TaskRelay: HTTPExchangeDelegate {
    private let task: HTTPTask
    private let hop: Int

    init(task: HTTPTask, hop: Int) {
        self.task = task
        self.hop = hop
    }

    func exchangeDidReceive(_ response: HTTPResponse) { task.receive(response, hop: hop) }
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow { task.receive(chunk, hop: hop) }
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) { task.exchangeFinished(result, hop: hop) }
}

extension HTTPTask: SharedOperation {
    package func setPriority(_ priority: HTTPPriority) {
        self.priority = priority
    }
}
