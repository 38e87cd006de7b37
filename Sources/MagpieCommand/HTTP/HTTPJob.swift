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
        session = HTTPSession(configuration: try ClientArguments.configuration(arguments))
        printer = AnswerPrinter(includesHead: arguments.has("include"))
        expected = try ExpectedKind(arguments)
        download = arguments.value("download").map { URL(fileURLWithPath: $0) }
        isContinued = arguments.has("continue")
        showsMetrics = arguments.has("metrics")
        isOffline = arguments.has("offline")
        if isContinued, download == nil { throw UsageError("--continue goes with --download FILE") }
        if expected != nil, download != nil {
            throw UsageError("--expect looks at a body that is shown, not at a file")
        }
    }

    func run() async -> ExitStatus {
        do {
            let request = try plan.request(in: session)
            if isOffline { return try await RequestPreview.print(request, session.configuration) }
            let response = try await perform(request)
            guard response.status.code >= 400 else { return .done }
            throw Failure(code: "status-\(response.status.code)", message: "the server answered \(response.status)")
        } catch let error as HTTPError {
            fail(Failure(error))
        } catch let failure as Failure {
            fail(failure)
        } catch {
            fail(Failure(code: "failed", message: "\(error)"))
        }
        return .someFailed
    }

    private func fail(_ failure: Failure) {
        Console.fail(plan.url.absoluteString, failure.message)
    }

    private func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let download { return try await write(request, to: download) }
        if let expected { return try await check(request, expected) }
        let stream = try await session.stream(for: request)
        printer.print(stream.response)
        for try await chunk in stream.body { try printer.print(chunk) }
        if showsMetrics, let metrics = stream.task.metrics { AnswerPrinter.print(metrics) }
        return stream.response
    }

    private func write(_ request: HTTPRequest, to file: URL) async throws -> HTTPResponse {
        let bar = TransferBar(name: file.lastPathComponent)
        defer { bar.clear() }
        let done = try await session.download(request, to: file, resuming: isContinued) { bar.show($0) }
        bar.clear()
        printer.print(done.response)
        if showsMetrics { AnswerPrinter.print(done.metrics) }
        return done.response
    }

    private func check(_ request: HTTPRequest, _ expected: ExpectedKind) async throws -> HTTPResponse {
        let answer = try await session.data(for: request)
        printer.print(answer.response)
        if showsMetrics { AnswerPrinter.print(answer.metrics) }
        try expected.check(answer)
        try printer.print(answer.body)
        return answer.response
    }
}
