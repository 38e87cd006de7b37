import Foundation

/// Who inside the library receives what a task brings: the three ways to consume a task are its conformers.
///
/// The calls come one at a time and in order; `finish` is the last and comes exactly once.
protocol TaskConsumer: AnyObject, Sendable {
    func receive(_ response: HTTPResponse, of task: HTTPTask)
    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask)
}
