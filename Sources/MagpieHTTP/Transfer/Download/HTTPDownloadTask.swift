import MagpieConcurrency

/// A download into a file, from its start to its end, however many requests it takes.
///
/// All of it may be used from any thread. Nothing needs to hold it: a download goes on by itself.
public final class HTTPDownloadTask: Sendable {
    /// How a download ended.
    public typealias Result = Swift.Result<HTTPDownloadResponse, HTTPError>

    private struct State {
        var progress = HTTPProgress()
        var current: HTTPTask?
        var pause: Task<Void, Never>?
        var isCancelled = false
        var isSuspended = false
        var resumeDataReceivers: [@Sendable (HTTPResumeData?) -> Void] = []
        var result: Result?
    }

    /// What was asked for.
    public let originalRequest: HTTPRequest

    private let progressHandler: (@Sendable (HTTPProgress) -> Void)?
    private let state = Lock(State())

    init(request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)?) {
        originalRequest = request
        progressHandler = progress
    }

    /// How much of the file is written, what was there before included.
    public var progress: HTTPProgress { state.withLock { $0.progress } }

    /// How the download ended, once it has.
    public var result: Result? { state.withLock { $0.result } }

    /// Holds the download back until `resume()`; its limits of time go on.
    public func suspend() {
        let task = state.withLock { state in
            state.isSuspended = true
            return state.current
        }
        task?.suspend()
    }

    /// Goes on after `suspend()`; does nothing otherwise.
    public func resume() {
        let task = state.withLock { state in
            defer { state.isSuspended = false }
            return state.isSuspended ? state.current : nil
        }
        task?.resume()
    }

    /// Ends the download with `HTTPError.cancelled`; does nothing where it is over.
    ///
    /// The partial file of a download with `resuming: true` stays, so that the next one goes on; another is removed.
    public func cancel() {
        let (task, pause) = state.withLock { state in
            state.isCancelled = true
            return (state.current, state.pause)
        }
        task?.cancel()
        pause?.cancel()
    }

    /// Ends the download so that it can go on later.
    ///
    /// - Parameter receiver: Is called once, before the completion closure, on a thread of the library: with what
    ///   `HTTPSession.download(resumingWith:to:)` needs, or `nil` where the server gives no means to continue, or the
    ///   download was over.
    public func cancel(producingResumeData receiver: @escaping @Sendable (HTTPResumeData?) -> Void) {
        let isOver = state.withLock { state in
            if state.result == nil { state.resumeDataReceivers.append(receiver) }
            return state.result != nil
        }
        if isOver { return receiver(nil) }
        cancel()
    }
}

// MARK: - What its run tells it

extension HTTPDownloadTask {
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    var isResumeDataWanted: Bool { state.withLock { !$0.resumeDataReceivers.isEmpty } }

    /// Keeps the request that is to run now; false where none may run any more.
    func adopt(_ task: HTTPTask) -> Bool {
        let (isSuspended, isCancelled) = state.withLock { state in
            state.current = task
            state.pause = nil
            return (state.isSuspended, state.isCancelled)
        }
        if isSuspended {
            task.suspend()
            // It may have been resumed just before that.
            if !state.withLock({ $0.isSuspended }) { task.resume() }
        }
        return !isCancelled
    }

    /// Ends the request that runs now, and not the download.
    func endRequest() { state.withLock { $0.current }?.cancel() }

    /// Calls `action` after a while, or as soon as the download is cancelled.
    func pause(for duration: Duration, on clock: any Clock<Duration>, then action: @escaping @Sendable () -> Void) {
        let pause = Task {
            try? await clock.sleep(for: duration)
            action()
        }
        let isCancelled = state.withLock { state in
            state.pause = pause
            return state.isCancelled
        }
        if isCancelled { pause.cancel() }
    }

    /// Notes how much is there, and tells where that is news.
    func report(_ progress: HTTPProgress) {
        let isNews = state.withLock { state in
            defer { state.progress = progress }
            return state.progress != progress
        }
        if isNews { progressHandler?(progress) }
    }

    func finish(_ result: Result, resumeData: HTTPResumeData?) {
        let receivers = state.withLock { state in
            state.result = result
            state.current = nil
            defer { state.resumeDataReceivers = [] }
            return state.resumeDataReceivers
        }
        for receiver in receivers { receiver(resumeData) }
    }
}
