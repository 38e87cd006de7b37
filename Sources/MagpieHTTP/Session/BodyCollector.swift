import Foundation

/// Collects a whole body in memory and hands it over at the end.
///
/// `@unchecked Sendable`: the calls of a consumer come one at a time, each after the one before it.
final class BodyCollector: TaskConsumer, @unchecked Sendable {
    private let progress: (@Sendable (HTTPProgress) -> Void)?
    private let completion: @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    private var response: HTTPResponse?
    private var body = BodyBuffer()

    init(
        progress: (@Sendable (HTTPProgress) -> Void)?,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) {
        self.progress = progress
        self.completion = completion
    }

    func receive(_ response: HTTPResponse, of task: HTTPTask) { self.response = response }

    func receive(_ chunk: Data, of task: HTTPTask) -> HTTPFlow {
        body.append(chunk, expected: response?.contentLength)
        if let progress { progress(task.progress) }
        return .proceed
    }

    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>, of task: HTTPTask) {
        completion(
            result.flatMap { metrics in
                guard let response else { return .failure(.malformedResponse(reason: "no header section")) }
                return .success(HTTPDataResponse(response: response, body: body.data, metrics: metrics))
            }
        )
        body = BodyBuffer()
    }
}
