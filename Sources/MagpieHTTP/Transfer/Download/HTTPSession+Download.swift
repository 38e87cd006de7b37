public import Foundation

extension HTTPSession {
    /// Loads an address, absolute or relative to the session's base URL, into a file.
    ///
    /// The bytes go into a partial file beside `file`, which takes its name when all are there, so that there is never half a
    /// file. See `download(_:to:resuming:options:progress:)` for a request.
    @discardableResult
    public func download(
        _ path: String,
        to file: URL,
        resuming: Bool = false,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDownloadResponse {
        let request = HTTPRequest(url: try url(for: path))
        return try await download(request, to: file, resuming: resuming, options: options, progress: progress)
    }

    /// Loads the body of an answer into a file.
    ///
    /// A connection that is lost is followed by another that asks for the rest, where the server gives the means (RFC 9110
    /// §14). A digest that the server sends is checked. Cancelling the Swift task cancels the download.
    ///
    /// - Parameters:
    ///   - request: What to load.
    ///   - file: Where to put it.
    ///   - resuming: Whether the partial file of a download that ends early stays beside `file` with `.part` at its name,
    ///     and one that is there is continued, if what the server has is still the same; else it begins anew.
    ///   - options: How to treat the file and the answer.
    ///   - progress: Is told of what is written, on a thread of the library.
    /// - Throws: `HTTPError.unacceptableStatus` for an answer without a file, `HTTPError.cannotWriteFile`,
    ///   `HTTPError.contentMismatch` where the bytes are not those that the server announced, or what ended the transfer.
    @discardableResult
    public func download(
        _ request: HTTPRequest,
        to file: URL,
        resuming: Bool = false,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDownloadResponse {
        try await download(request, into: resuming ? .resumableFile(file) : .file(file), options, progress)
    }

    /// Loads the body of an answer into the file that `destination` names once the head of the answer is there.
    ///
    /// `HTTPResponse.suggestedFileName` is a safe name for it. Where `destination` returns nil, the download ends with
    /// `HTTPError.cancelled`. It is called on a thread of the library.
    @discardableResult
    public func download(
        _ request: HTTPRequest,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        destination: @escaping @Sendable (HTTPResponse) -> URL?
    ) async throws(HTTPError) -> HTTPDownloadResponse {
        try await download(request, into: .chosen(destination), options, progress)
    }

    /// Goes on with a download that was cancelled with `HTTPDownloadTask.cancel(producingResumeData:)`.
    ///
    /// It begins anew where the partial file is gone or what the server has is not the same any more.
    ///
    /// - Parameters:
    ///   - resumeData: What is known of the partial file.
    ///   - request: What was loaded, with the fields that it needs; `nil` asks for the address alone.
    ///   - file: Where to put the whole.
    ///   - options: How to treat the file and the answer.
    ///   - progress: Is told of what is written, on a thread of the library.
    @discardableResult
    public func download(
        resumingWith resumeData: HTTPResumeData,
        for request: HTTPRequest? = nil,
        to file: URL,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDownloadResponse {
        let request = request ?? HTTPRequest(url: resumeData.url)
        return try await download(request, into: .continued(resumeData, file), options, progress)
    }

    /// Starts to load the body of an answer into a file, as the function of the same name that is awaited.
    ///
    /// - Parameters:
    ///   - request: What to load.
    ///   - file: Where to put it.
    ///   - resuming: Whether to keep and to continue a partial file.
    ///   - options: How to treat the file and the answer.
    ///   - progress: Is told of what is written, on a thread of the library.
    ///   - completion: Is called exactly once, on a thread of the library.
    /// - Returns: The download, to cancel it.
    @discardableResult
    public func download(
        _ request: HTTPRequest,
        to file: URL,
        resuming: Bool = false,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (HTTPDownloadTask.Result) -> Void
    ) -> HTTPDownloadTask {
        let task = HTTPDownloadTask(request: request, progress: progress)
        start(task, into: resuming ? .resumableFile(file) : .file(file), options, completion: completion)
        return task
    }

    /// Starts to load the body of an answer into the file that `destination` names, as the function of the same name that
    /// is awaited.
    ///
    /// `completion` is called exactly once, on a thread of the library.
    @discardableResult
    public func download(
        _ request: HTTPRequest,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        destination: @escaping @Sendable (HTTPResponse) -> URL?,
        completion: @escaping @Sendable (HTTPDownloadTask.Result) -> Void
    ) -> HTTPDownloadTask {
        let task = HTTPDownloadTask(request: request, progress: progress)
        start(task, into: .chosen(destination), options, completion: completion)
        return task
    }

    /// Starts to go on with a download, as the function of the same name that is awaited.
    ///
    /// `completion` is called exactly once, on a thread of the library.
    @discardableResult
    public func download(
        resumingWith resumeData: HTTPResumeData,
        for request: HTTPRequest? = nil,
        to file: URL,
        options: HTTPDownloadOptions = .init(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (HTTPDownloadTask.Result) -> Void
    ) -> HTTPDownloadTask {
        let request = request ?? HTTPRequest(url: resumeData.url)
        let task = HTTPDownloadTask(request: request, progress: progress)
        start(task, into: .continued(resumeData, file), options, completion: completion)
        return task
    }

    private func download(
        _ request: HTTPRequest,
        into place: DownloadPlace,
        _ options: HTTPDownloadOptions,
        _ progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws(HTTPError) -> HTTPDownloadResponse {
        let task = HTTPDownloadTask(request: request, progress: progress)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(task, into: place, options) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    func start(
        _ task: HTTPDownloadTask,
        into place: DownloadPlace,
        _ options: HTTPDownloadOptions,
        clock: any Clock<Duration> = ContinuousClock(),
        completion: @escaping @Sendable (HTTPDownloadTask.Result) -> Void
    ) {
        let run = DownloadRun(
            session: self,
            task: task,
            place: place,
            options: options,
            clock: clock,
            completion: completion
        )
        DownloadQueue(run: run).start()
    }
}
