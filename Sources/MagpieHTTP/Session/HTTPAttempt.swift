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
