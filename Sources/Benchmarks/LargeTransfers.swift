import Foundation
import MagpieHTTP
import MagpieTestSupport

/// A gigabyte in one piece, down and up, beside the program `curl`: what a byte costs, and whether memory grows with them.
enum LargeTransfers {
    private static let size = 1 << 30
    private static let program = URL(fileURLWithPath: "/usr/bin/curl")

    /// A transfer failed, or was not whole.
    struct Failed: Error {}

    static let rows = [
        row(
            "http-download",
            summary: "a gigabyte from nginx on this machine, to a file",
            contenders: [
                .init(name: "HTTPSession, file") { context in
                    try await time {
                        let done = try await HTTPSession().download(HTTPRequest(url: url(context)), to: target(context))
                        guard done.byteCount == size else { throw Failed() }
                    }
                },
                .init(name: "HTTPSession, bytes") { context in
                    try await time {
                        let stream = try await HTTPSession().stream(for: HTTPRequest(url: url(context)))
                        var count = 0
                        for try await chunk in stream.body { count += chunk.count }
                        guard count == size else { throw Failed() }
                    }
                },
                .init(name: "curl") { context in
                    try await time { try run(["-s", "-f", "-o", target(context).path, url(context).absoluteString]) }
                },
            ]
        ),
        row(
            "http-upload",
            summary: "a gigabyte as a part of a form, from a file to nginx on this machine",
            contenders: [
                .init(name: "HTTPSession") { context in
                    try await time {
                        let answer = try await HTTPSession()
                            .upload(to: place(context).absoluteString, method: .put) { form in
                                form.append(file: source(context), name: "file")
                            }
                        guard (200..<300).contains(answer.status.code) else { throw Failed() }
                    }
                },
                .init(name: "curl") { context in
                    let form = "file=@\(source(context).path)"
                    return try await time {
                        try run(["-s", "-f", "-X", "PUT", "-F", form, place(context).absoluteString])
                    }
                },
            ]
        ),
    ]

    private static func row(
        _ name: String,
        summary: String,
        contenders: [BenchmarkRow.Contender]
    ) -> BenchmarkRow {
        BenchmarkRow(
            name: name,
            summary: summary,
            unit: "s",
            isLargerBetter: false,
            contenders: contenders,
            reference: "curl",
            missing: {
                guard NginxServer.isAvailable else { return "nginx or openssl is not installed" }
                return FileManager.default.isExecutableFile(atPath: program.path) ? nil : "curl is not installed"
            }
        ) {
            let server = try await NginxServer.start()
            let file = server.root.appending(path: "large.bin")
            // Holes are read as quickly as they come; what is measured is the way, not the disk.
            guard FileManager.default.createFile(atPath: file.path, contents: nil), truncate(file.path, size) == 0
            else {
                throw Failed()
            }
            let context = [
                "url": server.url("/large.bin").absoluteString, "folder": server.root.path,
                "place": server.url("/upload/").absoluteString,
            ]
            return .init(context: context) { server.stop() }
        }
    }

    private static func url(_ context: BenchmarkRow.Context) throws -> URL { try address(context, "url") }

    private static func place(_ context: BenchmarkRow.Context) throws -> URL {
        try address(context, "place").appending(path: "sent-\(getpid()).bin")
    }

    private static func address(_ context: BenchmarkRow.Context, _ name: String) throws -> URL {
        guard let url = context[name].flatMap({ URL(string: $0) }) else { throw Failed() }
        return url
    }

    private static func source(_ context: BenchmarkRow.Context) -> URL {
        URL(fileURLWithPath: context["folder"] ?? "").appending(path: "large.bin")
    }

    private static func target(_ context: BenchmarkRow.Context) -> URL {
        URL(fileURLWithPath: context["folder"] ?? "").appending(path: "received-\(getpid()).bin")
    }

    private static func time(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }
}
