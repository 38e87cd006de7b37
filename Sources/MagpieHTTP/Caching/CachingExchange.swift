import Foundation
import MagpieConcurrency

/// One exchange of a `CachingTransport`: looks into the cache, and asks the server where that is needed.
///
/// Until a delivery from the cache begins, what the delegate hears comes from the base transport's exchange; afterwards
/// from a thread of the cache. Never from both at once: a delivery begins after the other exchange has finished.
final class CachingExchange: HTTPExchange {
    let request: HTTPRequest
    let key: HTTPCacheKey
    /// Who waits for the answer; `nil` where it is fetched for the cache alone.
    let delegate: (any HTTPExchangeDelegate)?
    let transport: CachingTransport
    let state = Lock(State())

    private let settings: HTTPTransportSettings
    private let arrival: Date
    private let started = ContinuousClock.now

    struct State {
        var isCancelled = false
        var isFinished = false

        /// What is stored and has to be validated.
        var match: HTTPCache.Match?
        /// The key of the stored answer that this exchange validates for others as well.
        var leadKey: String?
        /// The key of the stored answer that another exchange validates for this one.
        var waitKey: String?
        /// Ends the waiting at the exchange's limit.
        var waitLimit: Task<Void, Never>?

        /// The exchange with the server, while there is one.
        var network: (any HTTPExchange)?
        var networkCount = 0
        var isNetworkOver = false
        var isResumeOwed = false
        var requestTime = Date()
        var requestMark: HTTPCacheInvalidations.Mark = 0
        var answer = CachingAnswer.none

        var delivery: CachedDelivery?
    }

    init(
        request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: (any HTTPExchangeDelegate)?,
        transport: CachingTransport
    ) {
        self.request = request
        self.settings = settings
        self.delegate = delegate
        self.transport = transport
        let isDecoded = settings.decompresses && !request.headerFields.contains(.acceptEncoding)
        key = HTTPCacheKey(url: request.url, isDecoded: isDecoded)
        arrival = transport.cache.now()
    }

    var cache: HTTPCache { transport.cache }

    func cancel() {
        let (network, waitKey, isHeldBack) = state.withLock { state in
            guard !state.isCancelled, !state.isFinished else {
                return (nil as (any HTTPExchange)?, nil as String?, false)
            }
            state.isCancelled = true
            return (state.network, state.waitKey, state.delivery?.isPaused == true)
        }
        network?.cancel()
        if let waitKey { stopWaiting(waitKey, with: .cancelled) }
        if isHeldBack { cache.run(for: key) { self.deliver() } }
    }

    func resume() {
        let (network, isDelivering) = state.withLock { state in
            if let isHeldBack = state.delivery?.resume() { return (nil as (any HTTPExchange)?, isHeldBack) }
            state.isResumeOwed = state.network == nil
            return (state.network, false)
        }
        network?.resume()
        if isDelivering { cache.run(for: key) { self.deliver() } }
    }

    /// Ends the exchange, once.
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        guard isFirst else { return }
        if case .failure(.cancelled) = result { endLead(wasCancelled: true) } else { endLead() }
        transport.forget(self)
        delegate?.exchangeDidFinish(result)
    }
}

// MARK: - Looking

extension CachingExchange {
    /// Starts.
    func begin() {
        guard request.cachePolicy != .reloadIgnoringLocalCacheData else {
            cache.count(\.misses)
            return askServer()
        }
        cache.run(for: key) { self.lookUp() }
    }

    /// Validates what is stored, as its leader.
    func validate(_ match: HTTPCache.Match) {
        state.withLock { $0.leadKey = match.storageKey }
        askServer(whether: match)
    }

    /// Does what the cache's rules say; in the key's lane.
    ///
    /// - Parameters:
    ///   - hasWaited: Whether another exchange has just asked the server.
    ///   - mayWait: Whether to wait for another that does.
    private func lookUp(hasWaited: Bool = false, mayWait: Bool = true) {
        guard state.withLock({ !$0.isCancelled }) else { return finish(.failure(.cancelled)) }
        let match = cache.match(for: request, key)
        let decision = HTTPCacheDecision(
            for: request,
            stored: match?.entry.head,
            now: cache.now(),
            arrival: hasWaited ? arrival : nil
        )
        switch (decision, match) {
        case (.serve(let isStale), let match?):
            serve(match.entry, as: isStale ? .stale : hasWaited ? .revalidated : .hit)
        case (.serveAndValidate, let match?):
            transport.validateBehind(request, settings: settings, match: match)
            serve(match.entry, as: .stale)
        case (.validate, let match?):
            if mayWait { leadOrWait(match) } else { askServer(whether: match) }
        case (.gatewayTimeout, _):
            let response = HTTPResponse(status: 504, headerFields: [.contentLength: "0"], url: request.url)
            deliver(response, body: HTTPCacheBody(), metrics: HTTPTaskMetrics())
        case (.notInCache, _): finish(.failure(.notInCache))
        default:
            cache.count(\.misses)
            askServer()
        }
    }

    private func leadOrWait(_ match: HTTPCache.Match) {
        state.withLock { $0.waitKey = match.storageKey }
        guard !cache.validations.leads(match.storageKey, orWaits: self) else {
            state.withLock { $0.waitKey = nil }
            return validate(match)
        }
        cache.count(\.joined)
        if state.withLock({ $0.isCancelled }) { return stopWaiting(match.storageKey, with: .cancelled) }
        guard let total = settings.timeouts.total else { return }
        let left = total - (.now - started)
        let limit = Task { [weak self] in
            do { try await Task.sleep(for: left, clock: .continuous) } catch { return }
            self?.stopWaiting(match.storageKey, with: .timedOut(stage: .total, after: total))
        }
        let isWaiting = state.withLock { state in
            state.waitLimit = limit
            return state.waitKey != nil
        }
        if !isWaiting { limit.cancel() }
    }

    /// What was waited for has come, or is waited for no longer.
    private func endWait() {
        let limit = state.withLock { state in
            state.waitKey = nil
            defer { state.waitLimit = nil }
            return state.waitLimit
        }
        limit?.cancel()
    }

    /// Ends the exchange where it still waits for another.
    private func stopWaiting(_ waitKey: String, with error: HTTPError) {
        guard cache.validations.leave(waitKey, self) else { return }
        endWait()
        cache.run(for: key) { self.finish(.failure(error)) }
    }

    /// Lets those who wait look again; where the one they waited for was cancelled, one of them takes its place.
    func endLead(wasCancelled: Bool = false) {
        let leadKey = state.withLock { state in
            defer { state.leadKey = nil }
            return state.leadKey
        }
        guard let leadKey else { return }
        for waiter in cache.validations.end(leadKey) {
            waiter.endWait()
            cache.run(for: waiter.key) { waiter.lookUp(hasWaited: true, mayWait: wasCancelled) }
        }
    }
}

// MARK: - Asking the server

extension CachingExchange {
    /// Sends the request, with the conditions of what is stored where that is to be validated.
    func askServer(whether match: HTTPCache.Match? = nil) {
        var settings = settings
        if let total = settings.timeouts.total {
            let left = total - (.now - started)
            guard left > .zero else { return finish(.failure(.timedOut(stage: .total, after: total))) }
            settings.timeouts.total = left
        }
        let now = cache.now()
        let mark = cache.invalidations.mark
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.match = match
            state.answer = .none
            state.network = nil
            state.isNetworkOver = false
            state.requestTime = now
            state.requestMark = mark
            state.networkCount += 1
            return state.networkCount
        }
        guard let number else { return finish(.failure(.cancelled)) }
        let request = match.map { HTTPCacheRules.validation(of: $0.entry.head, for: self.request) } ?? self.request
        let network = transport.base.start(request, settings: settings, delegate: self)
        let (cancels, resumes) = state.withLock { state in
            guard number == state.networkCount, !state.isNetworkOver else { return (false, false) }
            state.network = network
            defer { state.isResumeOwed = false }
            return (state.isCancelled, state.isResumeOwed)
        }
        if cancels { network.cancel() } else if resumes { network.resume() }
    }
}
