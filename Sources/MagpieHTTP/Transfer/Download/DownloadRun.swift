import Foundation

/// The course of one download: its requests one after another, and what becomes of their answers.
///
/// All functions may block. `@unchecked Sendable`: they are called by the steps of one queue, which run one after another.
final class DownloadRun: @unchecked Sendable {
    private let session: HTTPSession
    private let task: HTTPDownloadTask
    private let place: DownloadPlace
    private let options: HTTPDownloadOptions
    private let clock: any Clock<Duration>
    private let completion: @Sendable (HTTPDownloadTask.Result) -> Void

    private var file: DownloadFile?
    private var resumeData: HTTPResumeData?
    private var resumedByteCount: Int64 = 0
    private var started: ContinuousClock.Instant?
    private var continuationCount = 0
    private var hasRestarted = false
    private var hasAnswered = false

    /// What belongs to one request.
    private struct Attempt {
        var offset: Int64 = 0
        var response: HTTPResponse?
        var plan: DownloadPlan?
        var refusedBody = Data()
        var failure: HTTPError?
    }
    private var attempt = Attempt()

    /// How much of a body that goes into no file is kept for the error.
    private static let maximumRefusedBody = 64 * 1024

    init(
        session: HTTPSession,
        task: HTTPDownloadTask,
        place: DownloadPlace,
        options: HTTPDownloadOptions,
        clock: any Clock<Duration>,
        completion: @escaping @Sendable (HTTPDownloadTask.Result) -> Void
    ) {
        self.session = session
        self.task = task
        self.place = place
        self.options = options
        self.clock = clock
        self.completion = completion
    }

    /// Does one step.
    func perform(_ step: DownloadQueue.Step, for queue: DownloadQueue) {
        do throws(HTTPError) {
            switch step {
            case .start: try start(queue)
            case .head(let response): try receive(response)
            case .chunk(let data): try receive(data)
            case .end(let result): try end(result, queue)
            }
        } catch {
            switch step {
            case .start, .end: fail(error)
            case .head, .chunk:
                attempt.failure = error
                task.endRequest()
            }
        }
    }

    /// Tells how much is there.
    func reportProgress() {
        guard attempt.failure == nil, let file, let expected = expectedByteCount else { return }
        task.report(HTTPProgress(received: file.byteCount, expected: expected))
    }

    /// The length of the whole where it is known; `nil` while there is no answer whose bytes go into the file.
    private var expectedByteCount: Int64?? {
        switch attempt.plan {
        case .start: attempt.response.map { $0.isEncoded ? nil : $0.contentLength }
        case .append(let total): .some(total)
        case .complete: .some(file?.byteCount)
        case .restart, .refuse, nil: nil
        }
    }
}

// MARK: - Asking

extension DownloadRun {
    private func start(_ queue: DownloadQueue) throws(HTTPError) {
        if task.isCancelled { throw .cancelled }
        if started == nil {
            started = .now
            if let opened = try place.open(for: task.originalRequest, options: options) {
                (file, resumeData) = opened
                resumedByteCount = opened.file.byteCount
            }
        }
        let request = try nextRequest()
        attempt = Attempt(offset: resumeData == nil ? 0 : file?.byteCount ?? 0)
        let next = session.makeTask(request, consumer: queue)
        guard task.adopt(next) else { throw .cancelled }
        session.enqueue(next)
    }

    /// Asks for what is not here yet.
    private func nextRequest() throws(HTTPError) -> HTTPRequest {
        var request = task.originalRequest
        if place.isResumable || resumeData != nil, !request.headerFields.contains(.acceptEncoding) {
            // Compressed on the way, the bytes of the file would not be those that the server counts.
            request.headerFields[.acceptEncoding] = "identity"
        }
        if let resumeData, let file, file.byteCount > 0 {
            request.headerFields[.range] = "bytes=\(file.byteCount)-"
            request.headerFields[.ifRange] = resumeData.validator.fieldValue
        }
        guard continuationCount > 0 || hasRestarted, let started, let total else { return request }
        let left = total - (.now - started)
        guard left > .zero else { throw .timedOut(stage: .total, after: total) }
        var timeouts = timeouts
        timeouts.total = left
        request.timeouts = timeouts
        return request
    }

    private var timeouts: HTTPTimeouts { task.originalRequest.timeouts ?? session.configuration.timeouts }

    /// How long all requests together may take.
    private var total: Duration? { timeouts.total }
}

// MARK: - Receiving

extension DownloadRun {
    private func receive(_ response: HTTPResponse) throws(HTTPError) {
        attempt.response = response
        hasAnswered = true
        let plan = DownloadPlan(
            for: response,
            offset: attempt.offset,
            resumeData: resumeData,
            acceptable: options.acceptableStatusCodes,
            isRangeWanted: task.originalRequest.headerFields.contains(.range)
        )
        attempt.plan = plan
        switch plan {
        case .start: try prepareWhole(response)
        case .append, .complete, .refuse: break
        // Its body is of no use.
        case .restart: task.endRequest()
        }
    }

    /// Makes room for the whole, and notes how it could be continued.
    private func prepareWhole(_ response: HTTPResponse) throws(HTTPError) {
        if place.isResumable, response.isEncoded {
            throw .undecodableBody(reason: "it was to come uncompressed")
        }
        let file = if let file { file } else { try place.open(for: response, options: options) }
        self.file = file
        if file.byteCount > 0 { try file.empty() }
        resumedByteCount = 0
        removeResumeDataFile()
        guard !task.originalRequest.headerFields.contains(.range) else { return }
        resumeData = HTTPResumeData(of: response, to: task.originalRequest, partialFile: file.partialPath)
        saveResumeData()
    }

    private func receive(_ chunk: Data) throws(HTTPError) {
        guard attempt.failure == nil else { return }
        switch attempt.plan {
        case .start, .append: try file?.write(chunk)
        case .refuse:
            attempt.refusedBody.append(chunk.prefix(Self.maximumRefusedBody - attempt.refusedBody.count))
            if attempt.refusedBody.count == Self.maximumRefusedBody { task.endRequest() }
        case .complete, .restart, nil: break
        }
    }
}

// MARK: - The end

extension DownloadRun {
    private func end(_ result: Result<HTTPTaskMetrics, HTTPError>, _ queue: DownloadQueue) throws(HTTPError) {
        if let failure = attempt.failure { throw failure }
        if task.isCancelled, case .failure = result { throw .cancelled }
        guard let response = attempt.response, let plan = attempt.plan else {
            return try goOn(after: result, queue)
        }
        switch plan {
        case .refuse: throw .unacceptableStatus(response, body: attempt.refusedBody)
        case .restart(let reason): try restart(reason, queue)
        case .start, .append, .complete:
            guard case .success(let metrics) = result else { return try goOn(after: result, queue) }
            if let reason = try fault(response, plan) { return try restart(reason, queue) }
            try complete(response, metrics)
        }
    }

    /// What is wrong with the bytes that are here, if anything is.
    private func fault(_ response: HTTPResponse, _ plan: DownloadPlan) throws(HTTPError) -> String? {
        guard let file else { return nil }
        if case .append(let total) = plan, file.byteCount != total { return "its length is not the announced one" }
        guard let digest = ContentDigest.best(of: response) else { return nil }
        // The answer to a request for bytes that do not exist describes itself, and not the file.
        if plan == .complete, digest.scope == .content { return nil }
        let isWhole = digest.scope == .representation || plan == .start
        // A part that the caller asked for has no digest of its own by which the whole is described.
        if response.status == .partialContent, plan == .start, digest.scope == .representation { return nil }
        let isRight = try file.matches(digest, from: isWhole ? 0 : attempt.offset)
        return isRight ? nil : "its \(digest.algorithm.rawValue) digest is not the announced one"
    }

    /// Asks for the whole, once.
    private func restart(_ reason: String, _ queue: DownloadQueue) throws(HTTPError) {
        resumeData = nil
        removeResumeDataFile()
        // What came in one piece does not become better.
        guard !hasRestarted, attempt.plan != .start else { throw .contentMismatch(reason: reason) }
        hasRestarted = true
        try file?.empty()
        try start(queue)
    }

    /// Asks for the rest where the connection was lost and that is likely to help.
    private func goOn(after result: Result<HTTPTaskMetrics, HTTPError>, _ queue: DownloadQueue) throws(HTTPError) {
        guard case .failure(let error) = result else { throw .malformedResponse(reason: "no header section") }
        guard hasAnswered, resumeData != nil, let file, error.mayPass,
            continuationCount < options.continuationLimit
        else { throw totalised(error) }
        let hasGained = file.byteCount > attempt.offset
        continuationCount += 1
        if hasGained { return try start(queue) }
        // 0.2 s, 0.4 s, 0.8 s and so on.
        let pause = Duration.milliseconds(100 << min(continuationCount, 9))
        if let total, let started, pause >= total - (.now - started) {
            throw .timedOut(stage: .total, after: total)
        }
        attempt = Attempt()
        task.pause(for: pause, on: clock) { queue.start() }
    }

    /// The limit that was set, where what was left of it ended a later request.
    private func totalised(_ error: HTTPError) -> HTTPError {
        guard case .timedOut(stage: .total, after: _) = error, let total else { return error }
        return .timedOut(stage: .total, after: total)
    }

    private func complete(_ response: HTTPResponse, _ metrics: HTTPTaskMetrics) throws(HTTPError) {
        guard let file else { throw .malformedResponse(reason: "no header section") }
        try file.complete(options)
        removeResumeDataFile()
        task.report(HTTPProgress(received: file.byteCount, expected: file.byteCount))
        let done = HTTPDownloadResponse(
            response: response,
            file: file.destination,
            byteCount: file.byteCount,
            resumedByteCount: resumedByteCount,
            continuationCount: continuationCount,
            metrics: metrics
        )
        self.file = nil
        finish(.success(done), resumeData: nil)
    }

    /// Ends the download; the partial file stays where it can be continued and somebody wants that.
    private func fail(_ error: HTTPError) {
        let isKept = place.isResumable || task.isResumeDataWanted
        if isKept, let file, file.byteCount > 0, resumeData != nil {
            resumeData?.byteCount = file.byteCount
            resumeData?.date = Date()
            saveResumeData()
        } else {
            resumeData = nil
            removeResumeDataFile()
            file?.discard()
        }
        file = nil
        finish(.failure(error), resumeData: isKept ? resumeData : nil)
    }

    private func finish(_ result: HTTPDownloadTask.Result, resumeData: HTTPResumeData?) {
        task.finish(result, resumeData: resumeData)
        completion(result)
    }

    /// Keeps what is known of the partial file beside it, so far as somebody will look for it there.
    ///
    /// Where that cannot be written, the next download begins anew.
    private func saveResumeData() {
        guard place.isResumable, let resumeData else { return }
        try? resumeData.write(to: DownloadPlace.resumeDataFile(of: resumeData.partialFile))
    }

    private func removeResumeDataFile() {
        guard place.isResumable, let file else { return }
        unlink(DownloadPlace.resumeDataFile(of: file.partialPath).path(percentEncoded: false))
    }
}
