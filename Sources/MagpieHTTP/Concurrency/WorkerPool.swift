import Dispatch
import Foundation
import MagpieConcurrency

/// Runs blocking or CPU-heavy work (decoding, disk access) on a bounded number of threads of its own, so that those of
/// Swift concurrency stay free; the highest priority first, and the oldest first within a priority.
///
/// Threads start when there is work and end after some seconds without; at most `width` of them run at a time.
package final class WorkerPool: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var waiting = PriorityBuckets<Work>()
        var workers = 0
        /// The workers that wait for `wakeUps` and that nobody has woken yet.
        var idleWorkers = 0
    }

    /// How long a worker waits for work before it ends: long enough to outlast the pauses of a person who scrolls.
    private static let patience = DispatchTimeInterval.seconds(10)

    private let name: String
    private let width: Int
    private let state = Lock(State())
    private let wakeUps = DispatchSemaphore(value: 0)

    /// A pool of at most `width` threads (at least one).
    package init(name: String, width: Int) {
        self.name = name
        self.width = max(1, width)
    }

    /// Runs `work` when a thread is free.
    ///
    /// The operation that is returned takes it back while it still waits; work that has begun runs to its end.
    @discardableResult
    package func run(priority: HTTPPriority = .normal, _ work: @escaping Work) -> any SharedOperation {
        enum Need { case nothing, wakeUp, thread }
        let (handle, need) = state.withLock { state in
            let handle = state.waiting.append(work, priority: priority)
            if state.idleWorkers > 0 {
                state.idleWorkers -= 1
                return (handle, Need.wakeUp)
            }
            guard state.workers < width else { return (handle, .nothing) }
            state.workers += 1
            return (handle, .thread)
        }
        switch need {
        case .nothing: break
        case .wakeUp: wakeUps.signal()
        case .thread: startThread()
        }
        return QueuedWork(pool: self, handle: handle)
    }

    /// Runs `body` on the pool and waits for its result without blocking the caller's thread.
    package func perform<Output: Sendable>(
        priority: HTTPPriority = .normal,
        _ body: @escaping @Sendable () -> Output
    ) async -> Output {
        await withCheckedContinuation { continuation in
            run(priority: priority) { continuation.resume(returning: body()) }
        }
    }

    private func startThread() {
        let thread = Thread {
            repeat {
                while let work = self.next() { work() }
            } while self.waitForWork()
        }
        thread.name = name
        thread.start()
    }

    /// The next piece of work; nil counts the worker as idle.
    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil { state.idleWorkers += 1 }
            return work
        }
    }

    /// Whether there may be work again; false ends the worker.
    private func waitForWork() -> Bool {
        if wakeUps.wait(timeout: .now() + Self.patience) == .success { return true }
        let isOver = state.withLock { state in
            guard state.idleWorkers > 0 else { return false }
            state.idleWorkers -= 1
            state.workers -= 1
            return true
        }
        // A wake-up was sent to one of the idle just now, and this worker is the one that has to take it.
        if !isOver { wakeUps.wait() }
        return !isOver
    }

    private struct QueuedWork: SharedOperation {
        let pool: WorkerPool
        let handle: PriorityBuckets<Work>.Handle

        func cancel() {
            // The work is let go outside the lock: what it captures may be released with it.
            let removed = pool.state.withLock { $0.waiting.remove(handle) }
            _ = removed
        }

        func setPriority(_ priority: HTTPPriority) {
            pool.state.withLock { $0.waiting.move(handle, to: priority) }
        }
    }
}
