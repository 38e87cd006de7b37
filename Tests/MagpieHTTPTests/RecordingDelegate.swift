import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// Writes down what a task tells its delegate, and pauses where it is told to.
final class RecordingDelegate: HTTPTaskDelegate {
    struct Record {
        var responses: [HTTPResponse] = []
        var received = 0
        var chunkCount = 0
        var results: [Result<HTTPTaskMetrics, HTTPError>] = []
        /// What came after the end, which must be nothing.
        var lateCallCount = 0
    }

    private let record = Lock(Record())
    private let flow: HTTPFlow
    let head = TestGate()
    let firstChunk = TestGate()
    let end = TestGate()

    init(flow: HTTPFlow = .proceed) { self.flow = flow }

    var current: Record { record.withLock { $0 } }

    /// The error of the only result.
    var error: HTTPError? {
        guard case .failure(let error)? = current.results.first, current.results.count == 1 else { return nil }
        return error
    }

    func task(_ task: HTTPTask, didReceive response: HTTPResponse) {
        record.withLock { record in
            record.lateCallCount += record.results.count
            record.responses.append(response)
        }
        head.open()
    }

    func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow {
        record.withLock { record in
            record.lateCallCount += record.results.count
            record.received += chunk.count
            record.chunkCount += 1
        }
        firstChunk.open()
        return flow
    }

    func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>) {
        record.withLock { $0.results.append(result) }
        end.open()
    }
}
