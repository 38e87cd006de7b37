import Foundation
import MagpieHTTP
import MagpieTestSupport
import MagpieURLSession

/// Many small files from a web server on this machine, some at a time: what a request costs beside its bytes.
enum HTTPThroughput {
    /// The measured rate was wrong: an answer did not come as the server has it.
    struct WrongAnswer: Error {}

    static let rows = [
        row("http-small-1", inFlight: 1, through: .plain),
        row("http-small", inFlight: 16, through: .plain),
        row("http-small-64", inFlight: 64, through: .plain),
        row("http2-small", inFlight: 16, through: .secure),
    ]

    private static let fileSize = 10 * 1024
    private static let requestCount = 10_000
    /// URLSession is slower by so much that fewer requests give its rate as well.
    private static let slowRequestCount = 1_000

    private static func row(
        _ name: String,
        inFlight: Int,
        through entrance: NginxServer.Entrance
    ) -> BenchmarkRow {
        let isSecure = entrance == .secure
        var contenders: [BenchmarkRow.Contender] = [
            .init(name: "HTTPSession") { context in
                let session = HTTPSession(configuration: try configuration(inFlight, context))
                return try await rate(of: session, context, count: requestCount, inFlight: inFlight)
            },
            .init(name: "libcurl") { context in
                try RawCurl.rate(
                    url: address(context).absoluteString,
                    caFile: context["ca"],
                    count: requestCount,
                    inFlight: inFlight
                )
            },
        ]
        if name == "http-small" {
            contenders.append(
                .init(name: "URLSession") { context in
                    let transport = URLSessionTransport()
                    let session = HTTPSession(
                        configuration: try configuration(inFlight, context),
                        transport: transport
                    )
                    return try await rate(of: session, context, count: slowRequestCount, inFlight: inFlight)
                }
            )
        }
        return BenchmarkRow(
            name: name,
            summary:
                "GETs of 10 KB from nginx on this machine\(isSecure ? " by HTTP/2 over TLS" : ""), \(inFlight) at a time",
            unit: "requests/s",
            isLargerBetter: true,
            contenders: contenders,
            reference: "libcurl",
            missing: { NginxServer.isAvailable ? nil : "nginx or openssl is not installed" }
        ) {
            let server = try await NginxServer.start()
            try Data(repeating: 0x61, count: fileSize).write(to: server.root.appending(path: "small.bin"))
            var context = ["url": server.url("/small.bin", through: entrance).absoluteString]
            if isSecure { context["ca"] = server.caFile.path }
            return .init(context: context) { server.stop() }
        }
    }

    private static func configuration(
        _ inFlight: Int,
        _ context: BenchmarkRow.Context
    ) throws -> HTTPSession.Configuration {
        var configuration = HTTPSession.Configuration(
            maximumConcurrentTasks: inFlight,
            maximumConcurrentTasksPerHost: inFlight
        )
        configuration.trust.caFile = context["ca"].map { URL(filePath: $0) }
        return configuration
    }

    private static func address(_ context: BenchmarkRow.Context) throws -> URL {
        guard let url = context["url"].flatMap({ URL(string: $0) }) else { throw WrongAnswer() }
        return url
    }

    private static func rate(
        of session: HTTPSession,
        _ context: BenchmarkRow.Context,
        count: Int,
        inFlight: Int
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
