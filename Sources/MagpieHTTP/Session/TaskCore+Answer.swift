import Foundation

/// What an exchange brings, and what becomes of it.
extension TaskCore {
    enum Reception {
        case ignore
        case deliver([HeadWaiter])
        case decide(TaskQuestion)
    }

    enum ChunkReception {
        case ignore
        case pause
        case abandon((any HTTPExchange)?)
        case deliver(isSuspended: Bool)
    }

    enum ExchangeEnd {
        case ignore
        case next(TaskDecision.Step)
        case decide(TaskQuestion)
        case finish(Result<HTTPTaskMetrics, HTTPError>)
    }

    enum Verdict {
        case none
        case deliver(HTTPResponse, [HeadWaiter])
        case abandon((any HTTPExchange)?)
        case next(TaskDecision.Step)
        case finish(Result<HTTPTaskMetrics, HTTPError>)
    }

    /// How much of an answer's body is kept until it is decided on, and how much of one that is not handed over is read
    /// so that its connection can be used again; a longer one is dropped.
    private static let maximumDrain = 64 * 1024

    mutating func receive(
        _ response: HTTPResponse,
        number: Int,
        redirects: HTTPRedirectPolicy,
        hasDelegate: Bool
    ) -> Reception {
        guard case .running = phase, number == exchangeNumber, !isCancelled else { return .ignore }
        if isQuestionable(response, redirects: redirects, hasDelegate: hasDelegate) {
            held = HeldAnswer(response: response)
            return .decide(question(response: response, error: nil))
        }
        return .deliver(accept(response))
    }

    mutating func receive(_ chunk: Data, number: Int) -> ChunkReception {
        guard case .running = phase, number == exchangeNumber, !isCancelled else { return .ignore }
        if next != nil {
            drained += chunk.count
            return drained > Self.maximumDrain ? .abandon(abandonExchange()) : .ignore
        }
        guard failure == nil else { return .ignore }
        if held != nil {
            held?.append(chunk)
            guard let held, held.byteCount > Self.maximumDrain else { return .ignore }
            _ = flow.pauseTransport()
            return .pause
        }
        progress.received += Int64(chunk.count)
        flow.chunkArrived()
        return .deliver(isSuspended: flow.isSuspended)
    }

    /// - Parameter canRestart: Whether the receiver can begin again although it has had a part of the answer.
    mutating func exchangeFinished(
        _ result: Result<HTTPTaskMetrics, HTTPError>,
        number: Int,
        canRestart: Bool,
        hasDelegate: Bool
    ) -> ExchangeEnd {
        guard case .running = phase, number == exchangeNumber else { return .ignore }
        exchange = nil
        // Somebody is handing the answer over and will come to its end.
        if held?.isFlushing == true {
            held?.end = result
            return .ignore
        }
        if isCancelled { return .finish(.failure(.cancelled)) }
        if let failure { return .finish(.failure(failure)) }
        if let step = takeNext() { return .next(step) }
        if case .failure(.timedOut(stage: .total, after: _)) = result { return .finish(.failure(timedOut())) }
        if held != nil {
            held?.end = result
            return .ignore
        }
        if case .failure(let error) = result, isQuestionable(error, hasDelegate: hasDelegate),
            response == nil || canRestart
        {
            held = HeldAnswer(response: nil, end: result)
            return .decide(question(response: nil, error: error))
        }
        return .finish(final(result))
    }

    /// Follows a decision; it comes to nothing where the task has gone on without it.
    mutating func follow(_ decision: TaskDecision, number: Int) -> Verdict {
        guard case .running = phase, number == exchangeNumber, !isCancelled, let held, !held.isDecided else {
            return .none
        }
        switch decision {
        case .deliver:
            guard let response = held.response else {
                self.held = nil
                return .finish(final(held.end ?? .failure(.cancelled)))
            }
            self.held?.deliver()
            return .deliver(response, accept(response))
        case .fail(let error):
            self.held = nil
            failure = error
            return held.end != nil ? .finish(.failure(error)) : .abandon(abandonExchange())
        case .next(let step):
            self.held = nil
            next = step
            if held.end != nil, let step = takeNext() { return .next(step) }
            drained = held.byteCount
            let rest = held.response?.contentLength ?? 0
            let isLong = drained > Self.maximumDrain || rest > Int64(Self.maximumDrain)
            return isLong ? .abandon(abandonExchange()) : .none
        }
    }

    /// Makes the answer the task's.
    private mutating func accept(_ response: HTTPResponse) -> [HeadWaiter] {
        self.response = response
        progress.expected = response.headerFields.contains(.contentEncoding) ? nil : response.contentLength
        return takeHeadWaiters()
    }

    private func isQuestionable(_ response: HTTPResponse, redirects: HTTPRedirectPolicy, hasDelegate: Bool) -> Bool {
        let code = response.status.code
        guard code >= 300 else { return false }
        if redirects.follows(response) { return true }
        if code == 401 || code == 407, hasDelegate || request.credential != nil { return true }
        return code >= 400 && !interceptors.isEmpty
    }

    private func isQuestionable(_ error: HTTPError, hasDelegate: Bool) -> Bool {
        if case .proxyAuthenticationRequired = error, hasDelegate { return true }
        return !interceptors.isEmpty
    }

    private func question(response: HTTPResponse?, error: HTTPError?) -> TaskQuestion {
        TaskQuestion(
            request: request,
            response: response,
            error: error,
            interceptors: interceptors,
            redirectCount: redirectCount,
            challengeCount: challengeCount,
            retryCount: retryCount,
            elapsed: started.map { .now - $0 } ?? .zero,
            timeLeft: timeLeft
        )
    }

    func final(_ result: Result<HTTPTaskMetrics, HTTPError>) -> Result<HTTPTaskMetrics, HTTPError> {
        switch result {
        // Who waits for the head would wait for ever.
        case .success where response == nil: .failure(.malformedResponse(reason: "no header section"))
        case .success(let metrics): .success(complete(metrics))
        case .failure(.timedOut(stage: .total, after: _)): .failure(timedOut())
        case .failure: result
        }
    }

    /// Goes over to the next exchange, if there is to be one.
    private mutating func takeNext() -> TaskDecision.Step? {
        guard let step = next else { return nil }
        next = nil
        held = nil
        drained = 0
        phase = .waiting
        flow.exchangeEnded()
        switch step {
        case .redirect(let request):
            self.request = request
            redirectCount += 1
        case .answer(let answered):
            request = answered.request
            challenge = answered.challenge
            challengeCount += 1
        case .retry:
            retryCount += 1
            (redirectCount, challengeCount) = (0, 0)
            (response, challenge) = (nil, nil)
            progress = HTTPProgress()
            isPreparing = true
        }
        uploadProgress = HTTPProgress(expected: request.body?.count)
        return step
    }

    private mutating func abandonExchange() -> (any HTTPExchange)? {
        isExchangeUnwanted = true
        return exchange
    }
}
