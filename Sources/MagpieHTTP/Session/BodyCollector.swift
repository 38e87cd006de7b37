import Foundation

/// Collects a whole body in memory and hands it over at the end.
///
/// `@unchecked Sendable`: the calls of a consumer come one at a time, each after the one before it.
final class BodyCollector: TaskConsumer, @unchecked Sendable {
    private let uploadProgress: (@Sendable (HTTPProgress) -> Void)?
    private let progress: (@Sendable (HTTPProgress) -> Void)?
    private let completion: @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    private var response: HTTPResponse?
    private var body = BodyBuffer()

    init(
        uploadProgress: (@Sendable (HTTPProgress) -> Void)? = nil,
        progress: (@Sendable (HTTPProgress) -> Void)?,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) {
        self.uploadProgress = uploadProgress
        self.progress = progress
        self.completion = completion
    }

    func receive(_ response: HTTPResponse, of task: HTTPTask) { self.response = response }

    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow {
        body.append(chunk, expected: response?.contentLength)
        if let progress { progress(task.progress) }
        return .proceed
    }

    func didSend(_ progress: HTTPProgress, of task: HTTPTask) { uploadProgress?(progress) }

    var canRestart: Bool { true }

    func restart() {
        response = nil
        body = BodyBuffer()
    }

    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask) {
        // Where the length was not announced, only the end tells that all has come.
        if let progress, case .success = result, response?.contentLength != Int64(body.data.count) {
            progress(task.progress)
        }
        completion(
            result.flatMap { metrics in
                guard let response else { return .failure(.malformedResponse(reason: "no header section")) }
                return .success(HTTPDataResponse(response: response, body: body.data, metrics: metrics))
            }
        )
        body = BodyBuffer()
    }
}
