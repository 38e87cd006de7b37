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

/// A try of a request that failed.
public struct HTTPAttempt: Sendable {
    /// What was sent last: what the interceptors and redirects made of the request.
    public let request: HTTPRequest

    /// The answer, where one came; its status is 400 or more.
    public let response: HTTPResponse?

    /// Why no answer came, where none did.
    public let error: HTTPError?

    /// How often the request was tried again before.
    public let retryCount: Int

    /// The time since the first try began.
    public let elapsed: Duration

    /// What is left of the request's total limit of time; a longer wait is not waited.
    public let timeLeft: Duration?

    /// Makes an attempt, to test an interceptor with.
    public init(
        request: HTTPRequest,
        response: HTTPResponse? = nil,
        error: HTTPError? = nil,
        retryCount: Int = 0,
        elapsed: Duration = .zero,
        timeLeft: Duration? = nil
    ) {
        self.request = request
        self.response = response
        self.error = error
        self.retryCount = retryCount
        self.elapsed = elapsed
        self.timeLeft = timeLeft
    }
}

/// Whether a failed request is sent again.
public struct HTTPRetryDecision: Sendable, Hashable {
    /// How long to wait before, or `nil` where it is not sent again.
    public let delay: Duration?

    /// The failure stands.
    public static let doNotRetry = Self(delay: nil)

    /// Sends it again at once.
    public static let retry = Self(delay: .zero)

    /// Sends it again after a wait.
    public static func retry(after delay: Duration) -> Self { Self(delay: delay) }
}

extension HTTPRequest {
    /// Who changes this request and decides on another try, after the interceptors of the session.
    public var interceptors: [any HTTPInterceptor] {
        get { attachment?.value as? [any HTTPInterceptor] ?? [] }
        set { attachment = newValue.isEmpty ? nil : HTTPRequestAttachment(newValue) }
    }
}
