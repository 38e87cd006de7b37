import Foundation

/// The state of a task and the rules by which it changes.
///
/// A value without effects: each function says what is to be done, and the task does it outside its lock.
struct TaskCore {
    typealias HeadWaiter = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    typealias Ticket = TaskQueue<HTTPTask>.Ticket

    private enum Phase {
        case waiting
        case running
        case finished(Result<HTTPTaskMetrics, HTTPError>)
    }

    var priority: HTTPPriority
    private(set) var progress = HTTPProgress()
    private(set) var ticket: Ticket?

    private var phase = Phase.waiting
    private var request: HTTPRequest
    private var exchange: (any HTTPExchange)?
    private var isCancelled = false
    private var isExchangeUnwanted = false
    private var isPaused = false
    private var isResumedEarly = false
    /// The receiver went on before the exchange that it had paused was known here.
    private var isResumeOwed = false
    private var response: HTTPResponse?
    private var headWaiters: [UInt64: HeadWaiter] = [:]

    private var redirectCount = 0
    private var followUp: HTTPRequest?
    private var failure: HTTPError?
    private var drained = 0

    private var enqueued = ContinuousClock.now
    private var started: ContinuousClock.Instant?
    private var timeouts = HTTPTimeouts()

    /// How much of a redirect's body is read so that its connection can be used again; a longer one is dropped.
    private static let maximumDrain = 64 * 1024

    init(request: HTTPRequest) {
        self.request = request
        priority = request.priority
    }

    var state: HTTPTask.State {
        switch phase {
        case .waiting: .waiting
        case .running: isPaused ? .paused : .running
        case .finished: .finished
        }
    }

    var result: Result<HTTPTaskMetrics, HTTPError>? {
        if case .finished(let result) = phase { result } else { nil }
    }
}

// MARK: - Start and end

extension TaskCore {
    enum Start {
        case start(HTTPRequest, hop: Int, timeouts: HTTPTimeouts)
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
    }

    enum ExchangeEnd {
        case ignore
        case next
        case finish(Result<HTTPTaskMetrics, HTTPError>)
    }

    /// Remembers the place in the queue; false where the task was cancelled before it got one.
    mutating func enqueue(_ makeTicket: () -> Ticket) -> Bool {
        guard case .waiting = phase, !isCancelled else { return false }
        ticket = makeTicket()
        enqueued = .now
        return true
    }

    /// Starts the first exchange, or the one after a redirect.
    mutating func begin(timeouts wanted: HTTPTimeouts) -> Start {
        guard !isCancelled else { return .finish(.failure(.cancelled)) }
        let now = ContinuousClock.now
        if started == nil {
            started = now
            timeouts = wanted
        }
        phase = .running
        exchange = nil
        isExchangeUnwanted = false
        isResumeOwed = false
        var left = timeouts
        if let total = timeouts.total, let started { left.total = total - (now - started) }
        if let total = left.total, total <= .zero { return .finish(.failure(timedOut())) }
        return .start(request, hop: redirectCount, timeouts: left)
    }

    /// Keeps the exchange that was started, and says what came up for it before it was known.
    mutating func keep(_ exchange: any HTTPExchange, hop: Int) -> Debt {
        guard case .running = phase, hop == redirectCount else { return .none }
        self.exchange = exchange
        defer { isResumeOwed = false }
        if isCancelled || isExchangeUnwanted { return .cancel }
        return isResumeOwed ? .resume : .none
    }

    mutating func cancel() -> Cancellation {
        guard !isCancelled, result == nil else { return .none }
        isCancelled = true
        if case .waiting = phase { return ticket.map { .withdraw($0) } ?? .none }
        return exchange.map { .cancel($0) } ?? .none
    }

    mutating func exchangeFinished(_ result: Result<HTTPTaskMetrics, HTTPError>, hop: Int) -> ExchangeEnd {
        guard case .running = phase, hop == redirectCount else { return .ignore }
        if isCancelled { return .finish(.failure(.cancelled)) }
        if let failure { return .finish(.failure(failure)) }
        if let followUp {
            self.followUp = nil
            request = followUp
            redirectCount += 1
            drained = 0
            return .next
        }
        switch result {
        case .success(let metrics):
            // Who waits for the head would wait for ever.
            guard response != nil else { return .finish(.failure(.malformedResponse(reason: "no header section"))) }
            return .finish(.success(complete(metrics)))
        case .failure(.timedOut(stage: .total, after: _)): return .finish(.failure(timedOut()))
        case .failure(let error): return .finish(.failure(error))
        }
    }

    /// Ends the task; `nil` where it has ended before.
    mutating func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) -> (ticket: Ticket?, waiters: [HeadWaiter])? {
        if case .finished = phase { return nil }
        phase = .finished(result)
        exchange = nil
        defer { headWaiters = [:] }
        return (ticket, Array(headWaiters.values))
    }

    /// The error of the whole task's limit, whatever was left of it for the last exchange.
    private func timedOut() -> HTTPError { .timedOut(stage: .total, after: timeouts.total ?? .zero) }

    private func complete(_ metrics: HTTPTaskMetrics) -> HTTPTaskMetrics {
        var metrics = metrics
        metrics.redirectCount = redirectCount
        if let started {
            metrics.queue = started - enqueued
            metrics.total = .now - started
        }
        return metrics
    }
}

// MARK: - The answer

extension TaskCore {
    enum Reception {
        case ignore
        case abandon((any HTTPExchange)?)
        case deliver([HeadWaiter])
    }

    mutating func receive(_ response: HTTPResponse, hop: Int, policy: HTTPRedirectPolicy) -> Reception {
        guard case .running = phase, hop == redirectCount, !isCancelled else { return .ignore }
        do throws(HTTPError) {
            followUp = try policy.followUp(to: request, after: response, count: redirectCount)
        } catch {
            failure = error
            return abandonExchange()
        }
        if followUp != nil {
            let length = response.contentLength ?? 0
            return length > Int64(Self.maximumDrain) ? abandonExchange() : .ignore
        }
        self.response = response
        progress.expected = response.headerFields.contains(.contentEncoding) ? nil : response.contentLength
        defer { headWaiters = [:] }
        return .deliver(headWaiters.isEmpty ? [] : Array(headWaiters.values))
    }

    mutating func receive(byteCount: Int, hop: Int) -> Reception {
        guard case .running = phase, hop == redirectCount, !isCancelled else { return .ignore }
        if followUp != nil {
            drained += byteCount
            return drained > Self.maximumDrain ? abandonExchange() : .ignore
        }
        guard failure == nil else { return .ignore }
        progress.received += Int64(byteCount)
        isResumedEarly = false
        return .deliver([])
    }

    /// Notes that the receiver wants a pause, unless it has taken that back already.
    mutating func pause() -> HTTPFlow {
        guard !isResumedEarly else { return .proceed }
        isPaused = true
        isResumeOwed = false
        return .pause
    }

    mutating func resume() -> (any HTTPExchange)? {
        guard case .running = phase else { return nil }
        isResumedEarly = true
        guard isPaused else { return nil }
        isPaused = false
        isResumeOwed = exchange == nil
        return exchange
    }

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

    private mutating func abandonExchange() -> Reception {
        isExchangeUnwanted = true
        return .abandon(exchange)
    }
}
