import MagpieConcurrency
import MagpieHTTP

/// One piece of work that several callers wait for: it runs once, each of them gets its result, its priority is the
/// highest among them, and it is cancelled when the last of them leaves.
///
/// A job is made by `JobTable.join`. Locks are taken from the job above to the job below, never upwards, and nobody's
/// callback runs under one.
final class SharedJob<Output: Sendable>: Sendable {
    typealias Outcome = Result<Output, WebImageError>

    /// One caller's place in the job.
    struct Waiter: Sendable {
        var priority: HTTPPriority
        var progressed: (@Sendable (HTTPProgress) -> Void)?
        var completed: @Sendable (Outcome) -> Void
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
        /// How many waiters have each priority, so that the highest is found without asking all of them.
        var census: [HTTPPriority: Int] = [:]
        var priority: HTTPPriority = .veryLow
        var operation: (any SharedOperation)?
        var step = 0
        /// Set by the end of the work and by the last waiter's leaving: nobody can join any more.
        var isClosed = false
    }

    private let state = Lock(State())
    private let didClose: @Sendable (SharedJob) -> Void

    fileprivate init(didClose: @escaping @Sendable (SharedJob) -> Void) {
        self.didClose = didClose
    }

    /// The highest priority among the waiters.
    var priority: HTTPPriority {
        state.withLock { $0.priority }
    }

    /// Whether everybody has left or the work has ended; long work asks this between its steps.
    var isClosed: Bool {
        state.withLock { $0.isClosed }
    }

    /// Names what the job is waiting for now, so that it can be cancelled and re-prioritised with the job.
    ///
    /// - Parameter step: a number that grows from one piece of work to the next. A piece may be over, and the next be
    ///   named, before the call that started it returns with its name: that name then comes too late and is ignored.
    func setOperation(_ operation: any SharedOperation, step: Int) {
        let isAbandoned = state.withLock { state in
            guard !state.isClosed else { return true }
            guard step >= state.step else { return false }
            state.step = step
            state.operation = operation
            operation.setPriority(state.priority)
            return false
        }
        if isAbandoned {
            operation.cancel()
        }
    }

    /// Tells the waiters how far the work has come.
    func report(_ progress: HTTPProgress) {
        let listeners = state.withLock { state in state.waiters.values.compactMap(\.progressed) }
        for listener in listeners {
            listener(progress)
        }
    }

    /// Ends the job: every waiter that is still there gets the outcome.
    ///
    /// Later calls do nothing.
    func finish(_ outcome: Outcome) {
        let waiters: [UInt64: Waiter]? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.operation = nil
            defer { state.waiters = [:] }
            return state.waiters
        }
        guard let waiters else { return }
        didClose(self)
        for waiter in waiters.values {
            waiter.completed(outcome)
        }
    }

    fileprivate func add(_ waiter: Waiter) -> Subscription? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let id = state.nextWaiter
            state.nextWaiter += 1
            state.waiters[id] = waiter
            recount(&state, gained: waiter.priority)
            return Subscription(job: self, id: id)
        }
    }

    private func recount(_ state: inout State, gained: HTTPPriority? = nil, lost: HTTPPriority? = nil) {
        if let gained { state.census[gained, default: 0] += 1 }
        if let lost { state.census[lost, default: 0] -= 1 }
        let highest = HTTPPriority.allCases.last { (state.census[$0] ?? 0) > 0 }
        guard let highest, highest != state.priority else { return }
        state.priority = highest
        state.operation?.setPriority(highest)
    }

    /// A waiter's hold on its job.
    struct Subscription: SharedOperation {
        fileprivate let job: SharedJob
        fileprivate let id: UInt64

        /// Leaves the job; `completed` will not be called, unless it is being called already.
        func cancel() {
            var abandoned: (any SharedOperation)?
            var isLast = false
            // The waiter's closures are let go outside the lock: what they capture may be released with them.
            let waiter: Waiter? = job.state.withLock { state in
                guard let waiter = state.waiters.removeValue(forKey: id) else { return nil }
                if state.waiters.isEmpty {
                    state.isClosed = true
                    isLast = true
                    swap(&abandoned, &state.operation)
                } else {
                    job.recount(&state, lost: waiter.priority)
                }
                return waiter
            }
            if isLast {
                job.didClose(job)
                abandoned?.cancel()
            }
            _ = waiter
        }

        func setPriority(_ priority: HTTPPriority) {
            job.state.withLock { state in
                guard let former = state.waiters[id]?.priority, former != priority else { return }
                state.waiters[id]?.priority = priority
                job.recount(&state, gained: priority, lost: former)
            }
        }
    }
}

/// The jobs that run now, by what they make: a second caller for the same key joins the first one's job.
final class JobTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
    private let jobs = Lock<[Key: SharedJob<Output>]>([:])

    /// The number of jobs that run.
    var count: Int {
        jobs.withLock { $0.count }
    }

    /// Joins the job of `key`, or makes one and calls `start` with it on this thread.
    ///
    /// `start` sets the work going and sees to it that `finish` is called in the end.
    func join(
        _ key: Key,
        _ waiter: SharedJob<Output>.Waiter,
        start: (SharedJob<Output>) -> Void
    ) -> SharedJob<Output>.Subscription {
        let (subscription, fresh) = jobs.withLock { jobs in
            if let running = jobs[key], let subscription = running.add(waiter) {
                return (subscription, nil as SharedJob<Output>?)
            }
            let job = SharedJob<Output> { [weak self] job in self?.remove(job, for: key) }
            guard let subscription = job.add(waiter) else {
                preconditionFailure("a job that nobody else knows yet cannot be closed")
            }
            jobs[key] = job
            return (subscription, job)
        }
        if let fresh {
            start(fresh)
        }
        return subscription
    }

    private func remove(_ job: SharedJob<Output>, for key: Key) {
        jobs.withLock { jobs in
            if jobs[key] === job { jobs[key] = nil }
        }
    }
}
