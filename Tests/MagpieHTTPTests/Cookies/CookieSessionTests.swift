import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Cookies on their way through a session.
@Suite(.timeLimit(.minutes(1)))
struct CookieSessionTests {
    /// Sets cookies at `/set`, and another on the way from `/moved` to `/end`.
    private func server() throws -> FaultServer {
        try FaultServer { connection, request in
            var fields: [String] = []
            if request.target == "/set" { fields = ["Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/"] }
            if request.target == "/moved" { fields = ["Set-Cookie: c=3; Path=/", "Location: /end"] }
            try connection.respond(request.target == "/moved" ? "302 Found" : "200 OK", fields: fields, text: "ok")
        }
    }

    @Test func sendsWhatTheServerHasSet() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url())
        _ = try await session.get("/set")
        _ = try await session.get("/x")
        #expect(server.requests.map { $0.field("Cookie") } == [nil, "a=1; b=2"])
    }

    /// Each hop has its own cookies, and those that a redirect sets are sent to its target.
    @Test func passesThroughRedirects() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url())
        _ = try await session.get("/moved")
        #expect(server.requests.map { $0.field("Cookie") } == [nil, "c=3"])
    }

    @Test func prefersTheCallersField() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url())
        _ = try await session.get("/set", headerFields: [.cookie: "own=1"])
        _ = try await session.get("/x", headerFields: [.cookie: "own=2"])
        #expect(server.requests.map { $0.field("Cookie") } == ["own=1", "own=2"])
        #expect(session.configuration.cookieJar?.cookies.count == 2)
    }

    @Test func leavesCookiesOutWhereNobodyWantsThem() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url())
        var request = HTTPRequest(url: server.url("/set"))
        request.handlesCookies = false
        _ = try await session.data(for: request)
        #expect(session.configuration.cookieJar?.cookies.isEmpty == true)
        _ = try await session.get("/set")
        request.url = server.url("/x")
        _ = try await session.data(for: request)
        #expect(server.requests.last?.field("Cookie") == nil)
        let without = HTTPSession(baseURL: server.url(), configuration: .init(cookieJar: nil))
        _ = try await without.get("/set")
        _ = try await without.get("/x")
        #expect(server.requests.last?.field("Cookie") == nil)
    }

    @Test func sharesAJarAndKeepsSessionsApart() async throws {
        let server = try server()
        let jar = HTTPCookieJar()
        let one = HTTPSession(baseURL: server.url(), configuration: .init(cookieJar: jar))
        let two = HTTPSession(baseURL: server.url(), configuration: .init(cookieJar: jar))
        _ = try await one.get("/set")
        _ = try await two.get("/x")
        _ = try await HTTPSession(baseURL: server.url()).get("/x")
        #expect(server.requests.map { $0.field("Cookie") } == [nil, "a=1; b=2", nil])
    }
}
