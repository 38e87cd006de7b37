/// What follows an answer, or a failure.
enum TaskDecision: Sendable {
    /// It is handed over.
    case deliver
    /// The task ends with this error.
    case fail(HTTPError)
    /// Another exchange takes its place.
    case next(Step)

    /// Another exchange.
    enum Step: Sendable {
        /// Where a redirect leads.
        case redirect(HTTPRequest)
        /// The same with credentials.
        case answer(AnsweredRequest)
        /// All from the beginning, after a wait.
        case retry(after: Duration)
    }
}

/// What has to be decided on, and all that matters for it.
struct TaskQuestion: Sendable {
    let request: HTTPRequest
    let response: HTTPResponse?
    let error: HTTPError?
    let interceptors: [any HTTPInterceptor]
    let redirectCount: Int
    let challengeCount: Int
    let retryCount: Int
    let elapsed: Duration
    let timeLeft: Duration?
}
