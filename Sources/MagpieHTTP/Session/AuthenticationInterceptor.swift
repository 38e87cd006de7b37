/// Sends a token with each request, and gets a new one when a server refuses it.
///
/// However many requests are refused with one token, it is refreshed once: those that come while the new one is fetched
/// wait for it, and those whose token was replaced meanwhile just try again. Where tokens are refused again and again, five
/// refreshes in 30 seconds are the most; then the refusals are handed over.
///
/// In a session with a base URL the token goes to that URL's origin alone.
public struct AuthenticationInterceptor: HTTPInterceptor {
    private let keeper: TokenKeeper

    /// Makes an interceptor; sessions that share it share the token.
    public init(_ store: any HTTPTokenStore) { keeper = TokenKeeper(store: store) }

    init(_ store: any HTTPTokenStore, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        keeper = TokenKeeper(store: store, now: now)
    }

    /// Puts the token into the request, after a refresh that is on its way.
    public func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest {
        guard session.isOwn(request.url), let token = try await keeper.token() else { return request }
        var request = request
        keeper.store.authorize(&request, with: token)
        return request
    }

    /// Tries again with a new token where this one was refused.
    public func retry(_ attempt: HTTPAttempt) async -> HTTPRetryDecision {
        guard let response = attempt.response, keeper.store.isRefused(response) else { return .doNotRetry }
        return await keeper.hasReplacement(after: attempt.request) ? .retry : .doNotRetry
    }
}

extension HTTPInterceptor where Self == AuthenticationInterceptor {
    /// Sends a token with each request, and gets a new one when a server refuses it.
    public static func authentication(_ store: any HTTPTokenStore) -> Self { Self(store) }
}
