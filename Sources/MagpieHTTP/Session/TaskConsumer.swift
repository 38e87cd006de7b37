import Foundation

/// Who inside the library receives what a task brings: the three ways to consume a task are its conformers.
///
/// The calls come one at a time and in order; `finish` is the last and comes exactly once.
protocol TaskConsumer: AnyObject, Sendable {
    func receive(_ response: HTTPResponse, of task: HTTPTask)
    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask)

    /// More of the request's body has been sent; may come at any time before the end.
    func didSend(_ progress: HTTPProgress, of task: HTTPTask)

    /// Whether the receiver can begin again after it has had a part of the answer.
    var canRestart: Bool { get }

    /// Forgets what came: the request is sent once more, and its answer comes from the beginning.
    ///
    /// Called only where `canRestart`, or where nothing has come.
    func restart()
}

extension TaskConsumer {
    var canRestart: Bool { false }

    func didSend(_ progress: HTTPProgress, of task: HTTPTask) {}
    func restart() {}
}
