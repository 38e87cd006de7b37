/// Who changes requests before they are sent, and decides whether a failed one is sent again.
///
/// Both functions have defaults that change and repeat nothing. They may take their time: a task holds no place in the
/// session while its request is adapted. A request that an interceptor itself sends must go through another session, or it
/// would wait for itself.
public protocol HTTPInterceptor: Sendable {
    /// Changes a request before it is sent for the first time, and again before each further try.
    ///
    /// - Parameter request: What the task was made for, as the interceptors before this one changed it.
    /// - Returns: What is sent.
    func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest

    /// Decides what follows an error, or a response whose status is 400 or more.
    ///
    /// Not asked where the body of the request cannot be sent again, nor about a cancellation or the end of the request's
    /// total limit, nor about an error after a part of the answer was handed over. Interceptors are asked in their order,
    /// and the first that wants another try has it.
    func retry(_ attempt: HTTPAttempt) async -> HTTPRetryDecision
}

extension HTTPInterceptor {
    /// Changes nothing.
    public func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest {
        request
    }

    /// Repeats nothing.
    public func retry(_ attempt: HTTPAttempt) async -> HTTPRetryDecision { .doNotRetry }
}

extension HTTPRequest {
    /// Who changes this request and decides on another try, after the interceptors of the session.
    public var interceptors: [any HTTPInterceptor] {
        get { attachment?.value as? [any HTTPInterceptor] ?? [] }
        set { attachment = newValue.isEmpty ? nil : HTTPRequestAttachment(newValue) }
    }
}
