import Foundation
import MagpieConcurrency

/// What has come of a server's answer, and what becomes of it.
enum CachingAnswer {
    /// No head yet.
    case none
    /// The answer goes to the caller, and into the cache where there is a way to it.
    case relayed(CachingTee?)
    /// What is stored still holds.
    case notModified(HTTPResponse, at: Date)
    /// The server failed; what is stored is served in place of its answer, of which so many bytes have come.
    case replaced(byteCount: Int)
}

extension CachingExchange: HTTPExchangeDelegate {
    /// How much of an answer nobody wants is read so that its connection can be used again; a longer one is dropped.
    private static let maximumDrain = 64 * 1024

    func exchangeDidSend(bodyBytes total: Int64) { delegate?.exchangeDidSend(bodyBytes: total) }

    func exchangeDidReceive(_ response: HTTPResponse) {
        let now = cache.now()
        let isStorable =
            response.contentLength ?? 0 <= Int64(cache.maximumBodySize)
            && cache.allowsStoring(response, to: request) && transport.willStore(request, response)
        let isRelayed = state.withLock { state in
            if let match = state.match {
                if response.status == .notModified {
                    state.answer = .notModified(response, at: now)
                    return false
                }
                if Self.isFailure(response.status), allowsStale(match, now) {
                    state.answer = .replaced(byteCount: 0)
                    return false
                }
            }
            let head = HTTPCacheEntry.Head(response: response, requestTime: state.requestTime, responseTime: now)
            let tee =
                isStorable
                ? CachingTee(cache: cache, request: request, key: key, head: head, mark: state.requestMark) : nil
            state.answer = .relayed(tee)
            return true
        }
        guard isRelayed else { return }
        // Those who wait do not depend on how fast the caller takes the new answer, which may itself wait for them.
        endLead()
        if let delegate {
            delegate.exchangeDidReceive(response)
        } else if !isStorable {
            cancel()
        }
    }

    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow {
        enum Step { case relay(CachingTee?), ignore, abandon((any HTTPExchange)?) }
        let step = state.withLock { state -> Step in
            switch state.answer {
            case .relayed(let tee): return .relay(tee)
            case .replaced(let count):
                state.answer = .replaced(byteCount: count + chunk.count)
                return count + chunk.count > Self.maximumDrain ? .abandon(state.network) : .ignore
            case .none, .notModified: return .ignore
            }
        }
        switch step {
        case .relay(nil): break
        case .relay(let tee?):
            if !tee.append(chunk) {
                state.withLock { $0.answer = .relayed(nil) }
                if delegate == nil { cancel() }
            }
        case .ignore: return .proceed
        case .abandon(let network):
            network?.cancel()
            return .proceed
        }
        // A new pause takes back what was owed before it, not what comes while the delegate is still deciding.
        let wasOwed = state.withLock { state in
            defer { state.isResumeOwed = false }
            return state.isResumeOwed
        }
        guard let delegate else { return .proceed }
        let flow = delegate.exchangeDidReceive(chunk)
        if wasOwed, flow == .proceed { resume() }
        return flow
    }

    /// Trailers are not stored (RFC 9111 §3.1).
    func exchangeDidReceive(trailers: HTTPFields) {
        let isRelayed = state.withLock { if case .relayed = $0.answer { true } else { false } }
        if isRelayed { delegate?.exchangeDidReceive(trailers: trailers) }
    }

    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        let (answer, match, requestTime, isCancelled) = state.withLock { state in
            defer {
                state.isNetworkOver = true
                state.network = nil
                state.answer = .none
            }
            return (state.answer, state.match, state.requestTime, state.isCancelled)
        }
        switch (answer, result, match) {
        case (.relayed(let tee?), .success, _):
            // Before anybody looks for it: what is done after it waits in the same lane.
            tee.commit()
            finish(result)
        case (.relayed(let tee?), .failure, _):
            tee.cancel()
            finish(result)
        case (.notModified(let response, let now), .success(let metrics), let match?) where !isCancelled:
            cache.run(for: key) { self.update(match, by: response, requestTime, now, metrics) }
        case (.replaced, _, let match?) where !isCancelled:
            serveStale(match, metrics: (try? result.get()) ?? HTTPTaskMetrics())
        case (.none, .failure(let error), let match?)
        where !isCancelled && Self.isFailure(error) && allowsStale(match, cache.now()):
            serveStale(match, metrics: HTTPTaskMetrics())
        case (_, .success, _) where isCancelled:
            finish(.failure(.cancelled))
        default: finish(result)
        }
    }

    private func update(
        _ match: HTTPCache.Match,
        by response: HTTPResponse,
        _ requestTime: Date,
        _ responseTime: Date,
        _ metrics: HTTPTaskMetrics
    ) {
        guard HTTPCacheRules.isValidation(response, of: match.entry.head) else {
            // The server speaks of another version than the stored one.
            cache.removeMatch(match)
            return askServer()
        }
        var entry = match.entry
        entry.head = HTTPCacheRules.updated(
            match.entry.head,
            by: response,
            requestTime: requestTime,
            responseTime: responseTime
        )
        let stored = entry.head
        entry.head = HTTPCacheRules.told(stored, by: response)
        serve(entry, as: .revalidated, metrics: metrics)
        // The caller does not wait for it: a storage may have to copy the body. Who looks next waits in the lane.
        cache.replaceHead(stored, of: match)
        endLead()
    }

    private func serveStale(_ match: HTTPCache.Match, metrics: HTTPTaskMetrics) {
        cache.run(for: key) {
            self.endLead()
            self.serve(match.entry, as: .stale, metrics: metrics)
        }
    }

    private func allowsStale(_ match: HTTPCache.Match, _ now: Date) -> Bool {
        HTTPCacheDecision.allowsStaleOnError(
            for: request,
            stored: match.entry.head,
            now: now,
            grace: cache.staleIfError
        )
    }

    /// What RFC 5861 §4 calls an error.
    private static func isFailure(_ status: HTTPResponse.Status) -> Bool { [500, 502, 503, 504].contains(status.code) }

    /// Whether the server could not be reached or did not answer; who answered in its name does not count.
    private static func isFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .unknownHost, .connectionRefused, .cannotConnect, .timedOut, .connectionLost, .bodyTooShort,
            .malformedResponse, .transport:
            true
        default: false
        }
    }
}
