import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What one exchange leaves behind in a handle, a connection or the event loop must not show in the next.
@Suite(.timeLimit(.minutes(1))) struct HandleReuseTests {
    @Test func fieldsAreThoseOfTheirOwnAnswer() async throws {
        let heads: [[String]] = [
            ["Server: one", "ETag: \"1\"", "X-First: a"],
            ["Server: two", "X-First: b", "ETag: \"2\""],
            ["SERVER: three"],
            ["Server: four", "ETag: \"4\"", "X-First: d", "X-Last: e"],
        ]
        let server = try FaultServer { connection, request in
            let number = Int(request.target.dropFirst()) ?? 0
            try connection.respond(fields: heads[number], body: Data("x".utf8))
        }
        let session = HTTPSession()
        for (number, head) in heads.enumerated() {
            let answer = try await session.data(for: HTTPRequest(url: server.url("/\(number)")))
            let fields = answer.headerFields.map { "\($0.name.rawName): \($0.value)" }
            #expect(fields == head + ["Content-Length: 1"])
        }
        #expect(server.connectionCount == 1)
    }

    @Test func aConnectionThatTheServerClosedWhileIdleIsReplaced() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(body: Data("x".utf8))
            connection.cut()
        }
        let session = HTTPSession()
        for _ in 0..<20 {
            let answer = try await session.data(for: HTTPRequest(url: server.url("/")))
            #expect(answer.text == "x")
            let isClosed = await eventually { server.openConnectionCount == 0 }
            #expect(isClosed)
        }
        #expect(server.connectionCount == 20)
    }

    @Test func namesAreLookedUpOneAfterAnother() async throws {
        let session = HTTPSession()
        for number in 0..<5 {
            let url = try #require(URL(string: "http://no-such-host-\(number).invalid/"))
            await #expect(throws: HTTPError.unknownHost("no-such-host-\(number).invalid")) {
                _ = try await session.data(for: HTTPRequest(url: url))
            }
        }
    }

    @Test func theUserAgentOfOneRequestDoesNotReachTheNext() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(body: Data("x".utf8)) }
        let session = HTTPSession()
        for agent in ["mine", nil, "", "other"] as [String?] {
            var request = HTTPRequest(url: server.url("/"))
            if let agent { request.headerFields[.userAgent] = agent }
            _ = try await session.data(for: request)
        }
        let agents = server.requests.map { $0.field("User-Agent") ?? "" }
        #expect(agents[0] == "mine")
        #expect(!agents[1].isEmpty && agents[1] != "mine")
        #expect(agents[3] == "other")
    }
}
