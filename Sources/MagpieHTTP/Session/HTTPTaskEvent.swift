/// What happens to the tasks of a session.
public enum HTTPTaskEvent: Sendable {
    /// A task was made.
    case created(HTTPTask)
    /// An exchange of the task starts: its first, or a further one.
    case started(HTTPTask)
    /// The task was suspended, and was not before.
    case suspended(HTTPTask)
    /// The task was resumed, after it had been suspended.
    case resumed(HTTPTask)
    /// A redirect is followed with this request.
    case redirected(to: HTTPRequest, HTTPTask)
    /// The request is sent again after a failure, as soon as its wait is over.
    case retried(HTTPTask)
    /// The head of the answer came.
    case received(HTTPResponse, HTTPTask)
    /// The task is over; comes after its receiver was told.
    case finished(Result<HTTPTaskMetrics, HTTPError>, HTTPTask)
    /// The session was invalidated, and its last task is over.
    case sessionInvalidated(HTTPSession)
}
