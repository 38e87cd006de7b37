import Foundation

extension HTTPSession {
    /// Loads the whole body into memory.
    ///
    /// A status such as 404 is an answer and not an error. Cancelling the Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - request: What to load.
    ///   - progress: Is told of each part of the body that arrives, on a thread of the transport; must not block.
    ///   - uploadProgress: Is told how much of the request's body has been sent, in the same way.
    public func data(
        for request: HTTPRequest,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        uploadProgress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let slot = ResultSlot()
        let collector = BodyCollector(uploadProgress: uploadProgress, progress: progress) { slot.resume(with: $0) }
        let task = makeTask(request, consumer: collector)
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                slot.continuation = continuation
                enqueue(task)
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Loads the whole body into memory and calls `completion` exactly once, on a thread of the transport.
    ///
    /// - Returns: The task, to cancel it or to change its priority.
    @discardableResult
    public func data(
        for request: HTTPRequest,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        uploadProgress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) -> HTTPTask {
        let collector = BodyCollector(uploadProgress: uploadProgress, progress: progress, completion: completion)
        let task = makeTask(request, consumer: collector)
        enqueue(task)
        return task
    }

    /// Starts a task whose answer goes to `delegate` as it comes, possibly before this function has returned.
    public func task(with request: HTTPRequest, delegate: any HTTPTaskDelegate) -> HTTPTask {
        let task = makeTask(request, consumer: DelegateConsumer(delegate))
        enqueue(task)
        return task
    }
}

/// Carries the continuation of one `data(for:)` to its end.
///
/// `@unchecked Sendable`: written once, before the task is put into the queue, and read once, when the task ends.
private final class ResultSlot: @unchecked Sendable {
    var continuation: UnsafeContinuation<Result<HTTPDataResponse, HTTPError>, Never>?

    func resume(with result: Result<HTTPDataResponse, HTTPError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }
}
