import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Many exchanges on one connection, with a real server.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private func session(_ server: NginxServer) -> HTTPSession {
        HTTPSession(configuration: .init(maximumConcurrentTasksPerHost: 64, trust: .init(caFile: server.caFile)))
    }

    private func load(_ count: Int, _ path: String, from server: NginxServer, in session: HTTPSession) async throws
        -> [HTTPDataResponse]
    {
        try await withThrowingTaskGroup(of: HTTPDataResponse.self) { group in
            for number in 0..<count {
                let url = server.url("\(path)?\(number)", through: .secure)
                group.addTask { try await session.data(for: HTTPRequest(url: url)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func requestsShareAConnection() async throws {
        let server = try await NginxServer.shared()
        let bytes = TestBytes.pattern(count: 100_000)
        try bytes.write(to: server.root.appending(path: "shared.bin"))
        let answers = try await load(50, "/shared.bin", from: server, in: session(server))
        #expect(answers.allSatisfy { $0.body == bytes && $0.metrics.version == .http2 })
        #expect(answers.allSatisfy { $0.metrics.security?.version.hasPrefix("TLSv1.") == true })
        let requests = try await server.requests(under: "/shared.bin", atLeast: 50)
        #expect(Set(requests.map(\.connection)).count == 1)
        #expect(requests.allSatisfy { $0.version == "HTTP/2.0" })
    }

    @Test func cancellingOneStreamLeavesTheOthers() async throws {
        let server = try await NginxServer.shared()
        let bytes = TestBytes.pattern(count: 5_000_000)
        try bytes.write(to: server.root.appending(path: "many.bin"))
        let session = session(server)
        var streams: [HTTPStreamResponse] = []
        for number in 0..<6 {
            let url = server.url("/many.bin?\(number)", through: .secure)
            streams.append(try await session.stream(for: HTTPRequest(url: url)))
        }
        for stream in streams[..<3] { stream.task.cancel() }
        for stream in streams[3...] {
            var received = Data()
            for try await chunk in stream.body { received += chunk }
            #expect(received == bytes)
        }
        #expect(try await session.data(for: HTTPRequest(url: server.url("/many.bin", through: .secure))).body == bytes)
        let requests = try await server.requests(under: "/many.bin", atLeast: 7)
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test(arguments: [5_000_000, nil] as [Int64?])
    func uploadsFromSources(count: Int64?) async throws {
        let server = try await NginxServer.shared()
        let bytes = TestBytes.pattern(count: 5_000_000)
        let source = ScriptedBody(
            count: count,
            [.bytes(bytes.prefix(1_000_000)), .wait, .bytes(bytes.dropFirst(1_000_000)), .wait]
        )
        let name = "uploaded-\(count ?? 0).bin"
        let url = server.url("/upload/\(name)", through: .secure)
        let session = session(server)
        async let answer = session.data(for: HTTPRequest(method: .put, url: url, body: .source(source)))
        for _ in 0..<(count == nil ? 2 : 1) {
            #expect(await eventually { source.isWaiting })
            source.proceed()
        }
        #expect(try await answer.status == 201)
        #expect(try Data(contentsOf: server.root.appending(path: name)) == bytes)
    }
}
