public import Foundation

/// Who receives what a task brings, as it comes.
///
/// The calls come one at a time and in order, on a thread of the transport that other tasks need as well: none of them
/// may block. A task that never got to the transport (refused, or cancelled while it waited) finishes on the thread that
/// refused or cancelled it.
public protocol HTTPTaskDelegate: AnyObject, Sendable {
    /// The head of the answer has come, after redirects.
    ///
    /// At most once, before any chunk.
    func task(_ task: HTTPTask, didReceive response: HTTPResponse)

    /// The next part of the body has come, never empty.
    ///
    /// - Returns: Whether to go on. After `.pause` at most one more chunk comes until `HTTPTask.resume()`.
    func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow

    /// More of the request's body has been sent; may come at any time before the end.
    func task(_ task: HTTPTask, didSend progress: HTTPProgress)

    /// The task is over.
    ///
    /// Exactly once, and the last call; promptly after a cancellation.
    func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>)
}

extension HTTPTaskDelegate {
    /// Does nothing.
    public func task(_ task: HTTPTask, didSend progress: HTTPProgress) {}
}

/// Passes a task's calls on to a delegate of the caller.
final class DelegateConsumer: TaskConsumer {
    private let delegate: any HTTPTaskDelegate

    init(_ delegate: any HTTPTaskDelegate) { self.delegate = delegate }

    func receive(_ response: HTTPResponse, of task: HTTPTask) { delegate.task(task, didReceive: response) }

    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow { delegate.task(task, didReceive: chunk) }

    func didSend(_ progress: HTTPProgress, of task: HTTPTask) { delegate.task(task, didSend: progress) }

    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask) {
        delegate.task(task, didFinish: result)
    }
}
