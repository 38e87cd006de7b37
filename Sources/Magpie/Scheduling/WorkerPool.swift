import Dispatch
import MagpieHTTP
import Synchronization

/// Runs blocking or CPU-heavy work (decoding, disk access) on a bounded number of threads that are not those of Swift
/// concurrency, the highest priority first and the oldest first within a priority.
///
/// Threads come from a private dispatch queue when there is work and go when there is none; at most `width` of them
/// run at a time.
final class WorkerPool: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
        var waiting = PriorityBuckets<Work>()
        var workers = 0
    }

    private let width: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// A pool of at most `width` threads (at least one).
    init(name: String, width: Int) {
        self.width = max(1, width)
        queue = DispatchQueue(label: name, attributes: .concurrent)
    }

    /// Runs `work` when a thread is free. The operation that is returned takes it back while it still waits; work that
    /// has begun runs to its end.
    @discardableResult
    func run(priority: HTTPPriority = .normal, _ work: @escaping Work) -> any SharedOperation {
        let (handle, needsWorker) = state.withLock { state in
            let handle = state.waiting.append(work, priority: priority)
            guard state.workers < width else { return (handle, false) }
            state.workers += 1
            return (handle, true)
        }
        if needsWorker {
            queue.async { self.drain() }
        }
        return QueuedWork(pool: self, handle: handle)
    }

    /// Runs `body` on the pool and waits for its result without blocking the caller's thread.
    func perform<Output: Sendable>(
        priority: HTTPPriority = .normal,
        _ body: @escaping @Sendable () -> Output
    ) async -> Output {
        await withCheckedContinuation { continuation in
            run(priority: priority) { continuation.resume(returning: body()) }
        }
    }

    private func drain() {
        while let work = next() {
            work()
        }
    }

    /// The next piece of work; nil ends the worker, which is accounted for under the same lock.
    private func next() -> Work? {
        state.withLock { state in
            guard let work = state.waiting.popFirst() else {
                state.workers -= 1
                return nil
            }
            return work
        }
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
