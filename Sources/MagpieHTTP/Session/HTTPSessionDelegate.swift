/// Who has a say in what a session does with its tasks.
///
/// All functions have defaults, so that only those of interest need be written. The asynchronous ones hold back their own
/// task alone, for as long as they take; the others are called on a thread that other tasks need as well, and must not
/// block. The session keeps its delegate as long as it lives itself.
public protocol HTTPSessionDelegate: AnyObject, Sendable {
    /// A redirect would be followed with `request`.
    ///
    /// Asked for each redirect that the session's `HTTPRedirectPolicy` follows. `request` has lost what must not go to
    /// another origin; what the returned request has, is sent.
    ///
    /// - Returns: What to send next, or `nil` to take the redirect's response as the task's.
    func willFollowRedirect(
        to request: HTTPRequest,
        after response: HTTPResponse,
        of task: HTTPTask
    ) async -> HTTPRequest?

    /// A server or proxy wants to know who asks (RFC 9110 §11).
    ///
    /// Also where a proxy wants to know it before it opens a tunnel: without an answer the task then ends with
    /// `HTTPError.proxyAuthenticationRequired`. Of several challenges in one response the strongest is given. Asked again where the answer was not accepted, with
    /// a larger `previousFailureCount`, ten times at most.
    func didReceive(_ challenge: HTTPChallenge, of task: HTTPTask) async -> HTTPChallengeDisposition

    /// The request has to be sent again, and its body can be sent once only.
    ///
    /// - Returns: The same content anew, or `nil` where there is none: the response that asks for it is then the task's.
    func needsNewBody(for task: HTTPTask) async -> HTTPRequestBody?

    /// The head of the task's answer has come, before its receiver gets it.
    func didReceive(_ response: HTTPResponse, of task: HTTPTask) -> HTTPResponseDisposition

    /// The answer to a request would go into the session's cache; `false` keeps it out.
    ///
    /// Asked where the rules of HTTP and the cache's own `shouldStore` allow it.
    func willCache(_ response: HTTPResponse, to request: HTTPRequest) -> Bool

    /// The task is over and its receiver has been told.
    func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>)

    /// The session was invalidated, and its last task is over.
    func didBecomeInvalid(_ session: HTTPSession)
}

/// What to do with a challenge.
public enum HTTPChallengeDisposition: Sendable, Hashable {
    /// Answers with this credential.
    case useCredential(HTTPCredential)
    /// Answers with the request's own credential where there is one, else takes the response as the task's.
    case performDefaultHandling
    /// Ends the task with this error.
    case cancel(HTTPError)
}

/// What to do with an answer whose head has come.
public enum HTTPResponseDisposition: Sendable, Hashable {
    /// Goes on.
    case allow
    /// Ends the task with `HTTPError.cancelled`.
    case cancel
}

extension HTTPSessionDelegate {
    /// Follows the redirect.
    public func willFollowRedirect(
        to request: HTTPRequest,
        after response: HTTPResponse,
        of task: HTTPTask
    ) async -> HTTPRequest? { request }

    /// Uses the request's own credential.
    public func didReceive(_ challenge: HTTPChallenge, of task: HTTPTask) async -> HTTPChallengeDisposition {
        .performDefaultHandling
    }

    /// Has no new body.
    public func needsNewBody(for task: HTTPTask) async -> HTTPRequestBody? { nil }

    /// Goes on.
    public func didReceive(_ response: HTTPResponse, of task: HTTPTask) -> HTTPResponseDisposition { .allow }

    /// Lets it go into the cache.
    public func willCache(_ response: HTTPResponse, to request: HTTPRequest) -> Bool { true }

    /// Does nothing.
    public func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>) {}

    /// Does nothing.
    public func didBecomeInvalid(_ session: HTTPSession) {}
}
