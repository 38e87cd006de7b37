/// Who hears of all that happens in a session: for logs, activity indicators, measures.
///
/// All functions have defaults that do nothing. They are called on the thread on which things happen, which other tasks
/// need as well: none may block. Unlike a `HTTPSessionDelegate`, a monitor changes nothing.
public protocol HTTPEventMonitor: AnyObject, Sendable {
    /// A task was made.
    func didCreate(_ task: HTTPTask)
    /// An exchange of the task starts: its first, or a further one.
    func didStart(_ task: HTTPTask)
    /// The task was suspended, and was not before.
    func didSuspend(_ task: HTTPTask)
    /// The task was resumed, after it had been suspended.
    func didResume(_ task: HTTPTask)
    /// A redirect is followed with this request.
    func didRedirect(_ task: HTTPTask, to request: HTTPRequest)
    /// The request is sent again after a failure, as soon as its wait is over.
    func didRetry(_ task: HTTPTask)
    /// The head of the answer came.
    func didReceive(_ response: HTTPResponse, of task: HTTPTask)
    /// The task is over; comes after its receiver was told.
    func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>)
    /// The session was invalidated, and its last task is over.
    func didInvalidate(_ session: HTTPSession)
}

extension HTTPEventMonitor {
    /// Does nothing.
    public func didCreate(_ task: HTTPTask) {}
    /// Does nothing.
    public func didStart(_ task: HTTPTask) {}
    /// Does nothing.
    public func didSuspend(_ task: HTTPTask) {}
    /// Does nothing.
    public func didResume(_ task: HTTPTask) {}
    /// Does nothing.
    public func didRedirect(_ task: HTTPTask, to request: HTTPRequest) {}
    /// Does nothing.
    public func didRetry(_ task: HTTPTask) {}
    /// Does nothing.
    public func didReceive(_ response: HTTPResponse, of task: HTTPTask) {}
    /// Does nothing.
    public func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>) {}
    /// Does nothing.
    public func didInvalidate(_ session: HTTPSession) {}

    /// Calls the function for the event.
    func record(_ event: HTTPTaskEvent) {
        switch event {
        case .created(let task): didCreate(task)
        case .started(let task): didStart(task)
        case .suspended(let task): didSuspend(task)
        case .resumed(let task): didResume(task)
        case .redirected(let request, let task): didRedirect(task, to: request)
        case .retried(let task): didRetry(task)
        case .received(let response, let task): didReceive(response, of: task)
        case .finished(let result, let task): didFinish(task, with: result)
        case .sessionInvalidated(let session): didInvalidate(session)
        }
    }
}
