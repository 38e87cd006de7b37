import Foundation
import MagpieHTTP
import MagpieTestSupport
import MagpieURLSession

/// Many small files from a web server on this machine, some at a time: what a request costs beside its bytes.
enum HTTPThroughput {
    private static let requestCount = 10_000
    /// URLSession is slower by so much that fewer requests give its rate as well.
    private static let slowRequestCount = 1_000
    private static let inFlight = 16
    private static let fileSize = 10 * 1024

    /// The measured rate was wrong: an answer did not come as the server has it.
    struct WrongAnswer: Error {}

    static let row = BenchmarkRow(
        name: "http-small",
        summary: "GETs of 10 KB from nginx on this machine, \(inFlight) at a time",
        unit: "requests/s",
        isLargerBetter: true,
        contenders: [
            .init(name: "HTTPSession") { try await rate(of: HTTPSession(configuration: configuration), $0) },
            .init(name: "libcurl") { context in
                try RawCurl.rate(url: address(context).absoluteString, count: requestCount, inFlight: inFlight)
            },
            .init(name: "URLSession") { context in
                let session = HTTPSession(configuration: configuration, transport: URLSessionTransport())
                return try await rate(of: session, context, count: slowRequestCount)
            },
        ],
        reference: "libcurl",
        missing: { NginxServer.isAvailable ? nil : "nginx or openssl is not installed" }
    ) {
        let server = try await NginxServer.start()
        try Data(repeating: 0x61, count: fileSize).write(to: server.root.appending(path: "small.bin"))
        return .init(context: ["url": server.url("/small.bin").absoluteString]) { server.stop() }
    }

    private static let configuration = HTTPSession.Configuration(
        maximumConcurrentTasks: inFlight,
        maximumConcurrentTasksPerHost: inFlight
    )

    private static func address(_ context: BenchmarkRow.Context) throws -> URL {
        guard let url = context["url"].flatMap({ URL(string: $0) }) else { throw WrongAnswer() }
        return url
    }

    private static func rate(
        of session: HTTPSession,
        _ context: BenchmarkRow.Context,
        count: Int = requestCount
    ) async throws -> Double {
        let request = HTTPRequest(url: try address(context))
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<(count / inFlight) {
                        let answer = try await session.data(for: request)
                        guard answer.body.count == fileSize else { throw WrongAnswer() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Double(count / inFlight * inFlight) / seconds
    }
}
