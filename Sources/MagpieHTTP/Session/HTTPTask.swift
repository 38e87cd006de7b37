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
        /// In the queue or on its way, and held back by `suspend()`.
        case suspended
        /// Over.
        case finished
    }

    /// A number that no other task of the process has.
    public let id: UInt64

    /// What was asked for, with the session's default fields; redirects do not change it.
    public let originalRequest: HTTPRequest

    /// The session that runs the task.
    public let session: HTTPSession

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

    /// Words of the caller's own, for logs.
    public var taskDescription: String? {
        get { core.withLock { $0.taskDescription } }
        set { core.withLock { $0.taskDescription = newValue } }
    }

    /// How much of the answer's body has arrived.
    public var progress: HTTPProgress { core.withLock { $0.progress } }

    /// How much of the request's body has been sent.
    public var uploadProgress: HTTPProgress { core.withLock { $0.uploadProgress } }

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
        case .finish: finish(.failure(.cancelled))
        }
    }

    /// Holds the task back until `resume()`.
    ///
    /// A waiting task keeps its place in the queue and is not started. Of a running one no more of the body is read, apart
    /// from what is on its way already; its limits of time go on. Does nothing where the task is suspended or finished.
    public func suspend() {
        if session.suspend(self) { session.hub.emit(.suspended(self)) }
    }

    /// Goes on after `suspend()`, or after the receiver of a chunk asked for a pause; does nothing otherwise.
    public func resume() {
        if session.resume(self) { session.hub.emit(.resumed(self)) }
        resumeReceiving()
    }

    /// Goes on after the receiver of a chunk asked for a pause; a suspended task stays so.
    func resumeReceiving() { carryOut(core.withLock { $0.resumeReceiving() }) }

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

extension HTTPTask: SharedOperation {
    package func setPriority(_ priority: HTTPPriority) {
        self.priority = priority
    }
}
