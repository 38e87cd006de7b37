import Foundation
import MagpieConcurrency
import Synchronization

/// The tasks of a session as a whole.
extension HTTPSession {
    /// How many tasks wait for their turn.
    public var waitingTaskCount: Int { schedule.withLock { $0.queue.waitingCount } }

    /// How many tasks run.
    public var runningTaskCount: Int { schedule.withLock { $0.queue.runningCount } }

    /// The tasks that wait or run, in the order of their making.
    public var tasks: [HTTPTask] { schedule.withLock { $0.queue.payloads }.sorted { $0.id < $1.id } }

    /// Suspends all tasks that wait or run.
    public func suspendAll() {
        for task in tasks { task.suspend() }
    }

    /// Resumes all tasks that are suspended.
    public func resumeAll() {
        for task in tasks { task.resume() }
    }

    /// Cancels all tasks that wait or run; the session takes further ones.
    public func cancelAllTasks() {
        for task in tasks { task.cancel() }
    }

    /// Waits until no task waits or runs, and the receivers of all have been told of their end.
    ///
    /// Suspended tasks are waited for as well. Cancelling the Swift task does not end the waiting.
    public func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = schedule.withLock { schedule in
                let isIdle = unfinishedCount.load(ordering: .acquiring) == 0
                if !isIdle { schedule.idleWaiters.append(continuation) }
                return isIdle
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Takes no more tasks: those made later end with `HTTPError.sessionInvalidated`.
    ///
    /// - Parameter cancellingTasks: Whether to cancel the tasks that wait or run; otherwise they finish.
    public func invalidate(cancellingTasks: Bool) {
        let tasks = schedule.withLock { schedule in
            schedule.isInvalidated = true
            return cancellingTasks ? schedule.queue.payloads : []
        }
        for task in tasks { task.cancel() }
        becameIdle()
    }

    /// Takes no more tasks, and waits for the end of those that wait or run.
    ///
    /// - Parameter cancellingTasks: Whether to cancel them; otherwise they finish.
    public func invalidateAndWait(cancellingTasks: Bool) async {
        invalidate(cancellingTasks: cancellingTasks)
        await waitUntilIdle()
    }

    /// Tells all who want to know of a task's end, after its receiver.
    func taskFinished(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>, wasEnqueued: Bool) {
        configuration.delegate?.didFinish(task, with: result)
        hub.emit(.finished(result, task))
        guard wasEnqueued, unfinishedCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        becameIdle()
    }

    /// Wakes who waits for the last task's end, if it has come.
    private func becameIdle() {
        let (waiters, isInvalid) = schedule.withLock { schedule -> ([CheckedContinuation<Void, Never>], Bool) in
            guard unfinishedCount.load(ordering: .acquiring) == 0 else { return ([], false) }
            let isInvalid = schedule.isInvalidated && !schedule.isInvalidationTold
            if isInvalid { schedule.isInvalidationTold = true }
            guard !schedule.idleWaiters.isEmpty else { return ([], isInvalid) }
            defer { schedule.idleWaiters = [] }
            return (schedule.idleWaiters, isInvalid)
        }
        if isInvalid {
            configuration.delegate?.didBecomeInvalid(self)
            hub.emit(.sessionInvalidated(self))
        }
        for waiter in waiters { waiter.resume() }
    }
}
