import Foundation
import MagpieHTTP

/// One run of `magpie http`: sends the request and deals with the answer as the options say.
struct HTTPJob: Sendable {
    private let plan: RequestPlan
    private let session: HTTPSession
    private let printer: AnswerPrinter
    private let expected: ExpectedKind?
    private let download: URL?
    private let isContinued: Bool
    private let showsMetrics: Bool
    private let isOffline: Bool

    init(_ plan: RequestPlan, _ arguments: ParsedArguments) throws {
        self.plan = plan
        printer = AnswerPrinter(includesHead: arguments.has("include"))
        expected = try ExpectedKind(arguments)
        download = try arguments.fileName("download").map { URL(fileURLWithPath: $0) }
        isContinued = arguments.has("continue")
        showsMetrics = arguments.has("metrics")
        isOffline = arguments.has("offline")
        if isContinued, download == nil { throw UsageError("--continue goes with --download FILE") }
        if expected != nil, download != nil {
            throw UsageError("--expect looks at a body that is shown, not at a file")
        }
        var configuration = try ClientArguments.configuration(arguments, for: plan.url)
        for name in plan.omittedFields { configuration.headerFields[name] = nil }
        if let path = try arguments.fileName("cookie-jar") {
            configuration.cookieJar = try HTTPCookieJar(file: URL(fileURLWithPath: path))
        }
        session = HTTPSession(configuration: configuration)
    }

    func run() async -> ExitStatus {
        let isDone = await reporting {
            let request = try plan.request(in: session)
            if isOffline { return try await RequestPreview.print(request, session.configuration) }
            let response = try await perform(request)
            guard response.status.code >= 400 else { return }
            throw Failure(code: "status-\(response.status.code)", message: "the server answered \(response.status)")
        }
        // Also what a failed or interrupted request was given is kept.
        let isKept = await reporting {
            if !isOffline { try session.configuration.cookieJar?.save(includingSessionCookies: true) }
        }
        return isDone && isKept ? .done : .someFailed
    }

    /// Does something, and prints why it failed unless it was interrupted.
    private func reporting(_ body: () async throws -> Void) async -> Bool {
        let failure: Failure
        do {
            try await body()
            return true
        } catch HTTPError.cancelled {
            return false
        } catch let error as HTTPError {
            failure = Failure(error)
        } catch let error as Failure {
            failure = error
        } catch {
            failure = Failure(code: "failed", message: "\(error)")
        }
        Console.fail(plan.url.absoluteString, failure.message)
        return false
    }

    private func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let download { return try await write(request, to: download) }
        if let upload = plan.upload { return try await send(request, from: upload) }
        if expected != nil { return try show(try await session.data(for: request)) }
        let stream = try await session.stream(for: request)
        printer.print(stream.response)
        for try await chunk in stream.body { try printer.print(chunk) }
        if showsMetrics, let metrics = stream.task.metrics { AnswerPrinter.print(metrics) }
        return stream.response
    }

    /// Loads into a file; what an interruption leaves of it is there for `--continue`.
    private func write(_ request: HTTPRequest, to file: URL) async throws -> HTTPResponse {
        if !isContinued { try? FileManager.default.removeItem(at: file.appendingPathExtension("part")) }
        let bar = TransferBar(name: file.lastPathComponent)
        defer { bar.clear() }
        let done = try await session.download(request, to: file, resuming: true) { bar.show($0) }
        bar.clear()
        printer.print(done.response)
        if showsMetrics { AnswerPrinter.print(done.metrics) }
        return done.response
    }

    private func send(_ request: HTTPRequest, from file: URL) async throws -> HTTPResponse {
        let bar = TransferBar(name: file.lastPathComponent)
        defer { bar.clear() }
        let answer = try await session.data(for: request, uploadProgress: { bar.show($0) })
        bar.clear()
        return try show(answer)
    }

    /// Shows an answer that has come whole, if it is what was expected.
    private func show(_ answer: HTTPDataResponse) throws -> HTTPResponse {
        printer.print(answer.response)
        if showsMetrics { AnswerPrinter.print(answer.metrics) }
        // What a server says about its refusal is shown, of whatever kind it is.
        if answer.status.code < 400 { try expected?.check(answer) }
        try printer.print(answer.body)
        return answer.response
    }
}
