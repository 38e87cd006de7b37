import Foundation

/// What to do with a request, given what is stored for it (RFC 9111 §4).
enum HTTPCacheDecision: Equatable {
    /// Answer with what is stored.
    case serve(isStale: Bool)
    /// Answer with what is stored, and validate it behind (RFC 5861 §3).
    case serveAndValidate
    /// Ask the server whether what is stored still holds.
    case validate
    /// Ask the server.
    case load
    /// Answer with 504: the request wants what is stored, and nothing fits (RFC 9111 §5.2.1.7).
    case gatewayTimeout
    /// Fail: the caller wants no exchange with the server, and nothing is stored.
    case notInCache

    /// Decides.
    ///
    /// - Parameters:
    ///   - request: What is asked for: a GET or HEAD without conditions of its own.
    ///   - head: What is stored for it.
    ///   - now: The time.
    ///   - arrival: When the request was made, where it has waited for another to validate the entry: what was got since
    ///     then is an answer to it also.
    init(for request: HTTPRequest, stored head: HTTPCacheEntry.Head?, now: Date, arrival: Date? = nil) {
        let wanted = CacheControl(request.headerFields)
        guard let head else {
            self =
                request.cachePolicy == .returnCacheDataDontLoad
                ? .notInCache : wanted.onlyIfCached ? .gatewayTimeout : .load
            return
        }
        let freshness = head.freshness
        let control = CacheControl(head.response.headerFields)
        switch request.cachePolicy {
        case .reloadIgnoringLocalCacheData: self = .load
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            self = .serve(isStale: !freshness.isFresh(at: now))
        case .reloadRevalidatingCacheData where !(control.isImmutable && freshness.isFresh(at: now)):
            self = .validate
        case .reloadRevalidatingCacheData, .useProtocolCachePolicy:
            self = Self.protocolDecision(wanted, control, freshness, now: now)
        }
        if self == .validate, let arrival, head.responseTime >= arrival { self = .serve(isStale: false) }
        guard wanted.onlyIfCached else { return }
        if self == .validate { self = .gatewayTimeout }
        if self == .serveAndValidate { self = .serve(isStale: true) }
    }

    private static func protocolDecision(
        _ wanted: CacheControl,
        _ control: CacheControl,
        _ freshness: HTTPFreshness,
        now: Date
    ) -> Self {
        if wanted.noCache || control.noCache { return .validate }
        let age = freshness.age(at: now)
        let staleness = freshness.staleness(at: now)
        if let maxAge = wanted.maxAge, age > maxAge { return .validate }
        if let minFresh = wanted.minFresh, -staleness < minFresh { return .validate }
        if staleness < 0 { return .serve(isStale: false) }
        if control.mustRevalidate { return .validate }
        if let maxStale = wanted.maxStale, staleness <= maxStale { return .serve(isStale: true) }
        if let window = control.staleWhileRevalidate, staleness <= window, wanted.maxAge == nil {
            return .serveAndValidate
        }
        return .validate
    }

    /// Whether the stored answer may be given where the server fails (RFC 5861 §4).
    ///
    /// - Parameters:
    ///   - grace: For how long a stale answer may be used where neither side has said so, in seconds.
    static func allowsStaleOnError(
        for request: HTTPRequest,
        stored head: HTTPCacheEntry.Head,
        now: Date,
        grace: TimeInterval
    ) -> Bool {
        let wanted = CacheControl(request.headerFields)
        let control = CacheControl(head.response.headerFields)
        guard request.cachePolicy == .useProtocolCachePolicy, !wanted.noCache, !control.noCache,
            !control.mustRevalidate
        else { return false }
        let window = max(wanted.staleIfError ?? 0, control.staleIfError ?? grace)
        let staleness = head.freshness.staleness(at: now)
        return staleness < 0 || staleness <= window && window > 0
    }
}
