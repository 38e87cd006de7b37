import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Plain loading from a real server.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TransferTests {
    @Test func loadsAFileWithItsHead() async throws {
        let server = try await NginxServer.shared()
        try Data("a magpie".utf8).write(to: server.root.appending(path: "plain.txt"))
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url("/plain.txt")))
        #expect(answer.text == "a magpie")
        #expect(answer.status == .ok)
        #expect(answer.response.version == .http1_1)
        #expect(answer.headerFields[.contentLength] == "8")
        #expect(answer.headerFields[.contentType] == "text/plain")
        #expect(answer.response.url == server.url("/plain.txt"))
        #expect(answer.metrics.bytesReceived == 8)
        #expect(answer.metrics.remoteAddress == "127.0.0.1")
    }

    @Test func secure() async throws {
        let server = try await NginxServer.shared()
        try Data("a magpie".utf8).write(to: server.root.appending(path: "secure.txt"))
        let session = HTTPSession(configuration: .init(trust: .init(caFile: server.caFile)))
        let answer = try await session.data(for: HTTPRequest(url: server.url("/secure.txt", through: .secure)))
        #expect(answer.response.version == .http2)
        #expect(answer.text == "a magpie")
        #expect(try await server.requests(under: "/secure.txt", atLeast: 1).count == 1)
    }

    @Test func fault() async throws {
        let server = try FaultServer { connection, request in try connection.respond(text: request.target) }
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url("/x")))
        #expect(answer.text == "/x")
        #expect(server.requests.count == 1)
    }
}
