import Foundation
import MagpieHTTP

/// Collects the body of one download, and ends it as soon as its head says that it is of no use.
///
/// `@unchecked Sendable`: a task's calls to its delegate come one at a time, each after the one before it.
final class DownloadReceiver: HTTPTaskDelegate, @unchecked Sendable {
    private let job: SharedJob<DownloadedData>
    private let acceptable: Range<Int>
    private var response: HTTPResponse?
    private var isRefused = false
    private var body = BodyBuffer()

    /// The body of an error that is read to its end, so that its connection can be used again; a longer one is cut off.
    private static let largestErrorBody: Int64 = 64 << 10

    init(job: SharedJob<DownloadedData>, acceptable: Range<Int>) {
        self.job = job
        self.acceptable = acceptable
    }

    func task(_ task: HTTPTask, didReceive response: HTTPResponse) {
        self.response = response
        isRefused = !acceptable.contains(response.status.code)
        if isRefused, response.contentLength ?? .max > Self.largestErrorBody { task.cancel() }
    }

    func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow {
        guard !isRefused else { return .proceed }
        let progress = task.progress
        body.append(chunk, expected: progress.expected)
        job.report(progress)
        return .proceed
    }

    func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>) {
        job.finish(outcome(of: result))
    }

    private func outcome(of result: Result<HTTPTaskMetrics, HTTPError>) -> SharedJob<DownloadedData>.Outcome {
        if isRefused, let response { return .failure(.unacceptableStatus(response.status)) }
        switch result {
        case .failure(.cancelled):
            return .failure(.cancelled)
        case .failure(.invalidURL(let text)):
            return .failure(.invalidURL(text))
        case .failure(let error):
            return .failure(.download(error))
        case .success(let metrics):
            guard let response, !body.data.isEmpty else { return .failure(.emptyBody) }
            return .success(DownloadedData(data: body.data, response: response, metrics: metrics))
        }
    }
}
