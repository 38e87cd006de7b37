import Foundation
import MagpieConcurrency
import MagpieHTTP

/// Writes down what it hears, a word or two for each.
final class RecordingMonitor: HTTPEventMonitor {
    private let record = Lock<[String]>([])

    var words: [String] { record.withLock { $0 } }

    private func note(_ word: String) { record.withLock { $0.append(word) } }

    func didCreate(_ task: HTTPTask) { note("created") }
    func didStart(_ task: HTTPTask) { note("started") }
    func didSuspend(_ task: HTTPTask) { note("suspended") }
    func didResume(_ task: HTTPTask) { note("resumed") }
    func didRedirect(_ task: HTTPTask, to request: HTTPRequest) { note("redirected \(request.url.path())") }
    func didRetry(_ task: HTTPTask) { note("retried") }
    func didReceive(_ response: HTTPResponse, of task: HTTPTask) { note("received \(response.status.code)") }
    func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>) {
        // Each says that the receiver was told before.
        note(task.state == .finished ? "finished" : "finished too soon")
    }
    func didInvalidate(_ session: HTTPSession) { note("invalidated") }
}
