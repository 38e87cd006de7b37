/// Sends failed requests again as a policy says.
public struct RetryInterceptor: HTTPInterceptor {
    /// When and how often.
    public let policy: HTTPRetryPolicy

    /// Makes an interceptor.
    public init(_ policy: HTTPRetryPolicy) { self.policy = policy }

    /// Counts the request for the budget and leaves it as it is.
    public func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest {
        policy.budget.deposit()
        return request
    }

    /// Decides as the policy says.
    public func retry(_ attempt: HTTPAttempt) async -> HTTPRetryDecision { policy.decision(on: attempt) }
}

extension HTTPInterceptor where Self == RetryInterceptor {
    /// Sends failed requests again as the policy says.
    public static func retry(_ policy: HTTPRetryPolicy = .exponential()) -> Self { Self(policy) }
}
