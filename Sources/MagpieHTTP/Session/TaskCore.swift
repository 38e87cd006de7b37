import Foundation

/// The state of a task and the rules by which it changes.
///
/// A value without effects: each function says what is to be done, and the task does it outside its lock. A task goes
/// from the queue to an exchange and from there to its end, or back to the queue for the next exchange: after a redirect,
/// a challenge, or a failure that is tried again. Each exchange has a number, by which late calls of an earlier one are
/// told.
struct TaskCore {
    typealias HeadWaiter = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    typealias Ticket = TaskQueue<HTTPTask>.Ticket

    enum Phase {
        case waiting
        case running
        case finished(Result<HTTPTaskMetrics, HTTPError>)
    }

    var priority: HTTPPriority
    var taskDescription: String?
    var progress = HTTPProgress()
    var uploadProgress: HTTPProgress

    var phase = Phase.waiting
    var ticket: Ticket?
    /// What is asked next or at the moment: what the task was made for, as interceptors and redirects changed it.
    var request: HTTPRequest
    /// The challenge that the request answers.
    var challenge: AnsweredChallenge?
    var interceptors: [any HTTPInterceptor] = []
    /// The task may not start before its interceptors have had the request, and a wait is over.
    var isPreparing = false
    var preparation: Task<Void, Never>?

    var exchange: (any HTTPExchange)?
    var exchangeNumber = 0
    var isExchangeUnwanted = false
    var isCancelled = false
    var flow = TaskFlow()

    var response: HTTPResponse?
    var headWaiters: [UInt64: HeadWaiter] = [:]
    var held: HeldAnswer?
    var next: TaskDecision.Step?
    var failure: HTTPError?
    var drained = 0

    var redirectCount = 0
    var challengeCount = 0
    var retryCount = 0

    var enqueued = ContinuousClock.now
    var started: ContinuousClock.Instant?
    /// How long the interceptors took to change the request before it was first sent.
    var adaptation = Duration.zero
    var timeouts = HTTPTimeouts()

    init(request: HTTPRequest) {
        self.request = request
        priority = request.priority
        uploadProgress = HTTPProgress(expected: request.body?.count)
    }

    var state: HTTPTask.State {
        switch phase {
        case .finished: .finished
        case _ where flow.isSuspended: .suspended
        case .waiting: .waiting
        case .running: flow.isPaused ? .paused : .running
        }
    }

    var result: Result<HTTPTaskMetrics, HTTPError>? {
        if case .finished(let result) = phase { result } else { nil }
    }

    /// The task has no exchange, and may have one as soon as there is room.
    var isReady: Bool {
        guard case .waiting = phase else { return false }
        return !flow.isSuspended && !isPreparing && !isCancelled
    }
}

// MARK: - Start and end

extension TaskCore {
    enum Start {
        case none
        case start(AnsweredRequest, number: Int, timeouts: HTTPTimeouts)
        case finish(Result<HTTPTaskMetrics, HTTPError>)
    }

    /// What an exchange that was just started still has to be told.
    enum Debt {
        case none
        case cancel
        case resume
    }

    enum Cancellation {
        case none
        case withdraw(Ticket)
        case cancel(any HTTPExchange)
        case finish
    }

    /// Remembers the place in the queue; false where the task was cancelled before it got one.
    mutating func enqueue(_ makeTicket: () -> Ticket) -> Bool {
        guard case .waiting = phase, !isCancelled else { return false }
        ticket = makeTicket()
        enqueued = .now
        return true
    }

    /// Starts the next exchange.
    mutating func begin(timeouts wanted: HTTPTimeouts) -> Start {
        guard case .waiting = phase else { return .none }
        guard !isCancelled else { return .finish(.failure(.cancelled)) }
        // Suspended between the turn and here: the place in the queue is given back already.
        guard isReady else { return .none }
        if started == nil {
            started = .now
            timeouts = wanted
        }
        phase = .running
        exchange = nil
        exchangeNumber += 1
        isExchangeUnwanted = false
        var left = timeouts
        left.total = timeLeft
        if let total = left.total, total <= .zero { return .finish(.failure(timedOut())) }
        return .start(AnsweredRequest(request: request, challenge: challenge), number: exchangeNumber, timeouts: left)
    }

    /// Keeps the exchange that was started, and says what came up for it before it was known.
    mutating func keep(_ exchange: any HTTPExchange, number: Int) -> Debt {
        guard case .running = phase, number == exchangeNumber else { return .none }
        self.exchange = exchange
        defer { flow.isResumeOwed = false }
        if isCancelled || isExchangeUnwanted { return .cancel }
        return flow.isResumeOwed ? .resume : .none
    }

    mutating func cancel() -> Cancellation {
        guard !isCancelled, result == nil else { return .none }
        isCancelled = true
        guard case .running = phase else { return ticket.map { .withdraw($0) } ?? .none }
        // The exchange is over, and only a decision or the receiver is waited for.
        if let held, held.end != nil { return held.isFlushing ? .none : .finish }
        return exchange.map { .cancel($0) } ?? .none
    }

    /// Gives up a request that is still being prepared, so that it cannot be started any more; false where it is ready.
    mutating func expirePreparation() -> Bool {
        guard case .waiting = phase, isPreparing, !isCancelled else { return false }
        isCancelled = true
        return true
    }

    /// Ends the task; `nil` where it has ended before.
    mutating func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) -> Ending? {
        if case .finished = phase { return nil }
        phase = .finished(result)
        exchange = nil
        held = nil
        var sent: HTTPProgress?
        if case .success = result {
            progress.expected = progress.received
            sent = completeUpload()
        }
        defer {
            headWaiters = [:]
            preparation = nil
        }
        return Ending(
            ticket: ticket,
            waiters: headWaiters.isEmpty ? [] : Array(headWaiters.values),
            preparation: preparation,
            sent: sent
        )
    }

    struct Ending {
        let ticket: Ticket?
        let waiters: [HeadWaiter]
        let preparation: Task<Void, Never>?
        /// What the receiver is still to be told of the body that was sent.
        let sent: HTTPProgress?
    }

    /// The patience that is left of the whole task's.
    var timeLeft: Duration? {
        timeouts.total.map { $0 - adaptation - (started.map { .now - $0 } ?? .zero) }
    }

    /// The error of the whole task's limit, whatever was left of it for the last exchange.
    func timedOut() -> HTTPError { .timedOut(stage: .total, after: timeouts.total ?? .zero) }

    func complete(_ metrics: HTTPTaskMetrics) -> HTTPTaskMetrics {
        var metrics = metrics
        metrics.redirectCount = redirectCount
        metrics.retryCount = retryCount
        if let started {
            metrics.queue = started - enqueued
            metrics.total = .now - started
        }
        return metrics
    }
}

// MARK: - Waiting for the head

extension TaskCore {
    mutating func headResult(
        orWaitAs waiter: UInt64,
        _ continuation: HeadWaiter
    ) -> Result<HTTPResponse, HTTPError>? {
        if let response { return .success(response) }
        if case .finished(.failure(let error)) = phase { return .failure(error) }
        if Task.isCancelled { return .failure(.cancelled) }
        headWaiters[waiter] = continuation
        return nil
    }

    mutating func abandonHead(_ waiter: UInt64) -> HeadWaiter? { headWaiters.removeValue(forKey: waiter) }

    mutating func takeHeadWaiters() -> [HeadWaiter] {
        guard !headWaiters.isEmpty else { return [] }
        defer { headWaiters = [:] }
        return Array(headWaiters.values)
    }
}
