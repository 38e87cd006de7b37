import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Redirects: what is asked next, and what goes with it.
@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    /// Answers `/STATUS?to=TARGET` with that redirect, and anything else with what it was asked.
    private func redirector() throws -> FaultServer {
        try FaultServer { connection, request in
            let parts = request.target.dropFirst().split(separator: "?to=", maxSplits: 1)
            if parts.count == 2, let code = Int(parts[0]) {
                let target = parts[1].removingPercentEncoding ?? ""
                try connection.respond("\(code) Moved", fields: ["Location: \(target)"], body: Data("moved".utf8))
            } else {
                try connection.respond(
                    text: "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
                )
            }
        }
    }

    @Test(arguments: [
        (301, HTTPRequest.Method.get, "GET /end "), (302, .get, "GET /end "), (303, .get, "GET /end "),
        (301, .post, "GET /end "), (302, .post, "GET /end "), (303, .post, "GET /end "), (303, .put, "GET /end "),
        (301, .put, "PUT /end body"), (307, .post, "POST /end body"), (308, .post, "POST /end body"),
        (307, .put, "PUT /end body"),
    ])
    func methodAndBody(code: Int, method: HTTPRequest.Method, expected: String) async throws {
        let server = try redirector()
        let body = method == .get ? nil : HTTPRequestBody.bytes(Data("body".utf8))
        let fields: HTTPFields = method == .get ? [:] : [.contentType: "text/plain"]
        let request = HTTPRequest(method: method, url: server.url("/\(code)?to=/end"), headerFields: fields, body: body)
        let answer = try await HTTPSession().data(for: request)
        #expect(answer.text == expected)
        #expect(answer.response.url == server.url("/end"))
        #expect(answer.metrics.redirectCount == 1)
        let keepsBody = expected.hasSuffix("body")
        #expect((server.requests.last?.field("Content-Type") != nil) == keepsBody)
        // The short body of the redirect was read, so that its connection served the next request too.
        #expect(server.connectionCount == 1)
    }

    @Test func headStaysHead() async throws {
        let server = try redirector()
        _ = try await HTTPSession().data(for: HTTPRequest(method: .head, url: server.url("/303?to=/end")))
        #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
    }

    @Test func credentialsStayWithTheirOrigin() async throws {
        let first = try redirector()
        let second = try redirector()
        let fields: HTTPFields = [.authorization: "Bearer x", .cookie: "a=1", .accept: "image/*"]
        let away = second.url("/end").absoluteString
        let request = HTTPRequest(url: first.url("/302?to=/302?to=\(away)"), headerFields: fields)
        _ = try await HTTPSession().data(for: request)
        #expect(first.requests.map { $0.field("Authorization") } == ["Bearer x", "Bearer x"])
        #expect(second.requests.count == 1)
        #expect(second.requests.first?.field("Authorization") == nil)
        #expect(second.requests.first?.field("Cookie") == nil)
        #expect(second.requests.first?.field("Accept") == "image/*")
    }

    @Test func theLimit() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond("302 Found", fields: ["Location: /again"], body: Data())
        }
        let session = HTTPSession(configuration: .init(redirects: .follow(limit: 3)))
        await #expect(throws: HTTPError.tooManyRedirects(limit: 3)) {
            try await session.data(for: HTTPRequest(url: server.url("/")))
        }
        #expect(server.requests.count == 4)
        let untouched = HTTPSession(configuration: .init(redirects: .none))
        #expect(try await untouched.data(for: HTTPRequest(url: server.url("/"))).status == 302)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "http://"])
    func targetsThatAreNoWebAddress(target: String) async throws {
        let server = try redirector()
        let url = server.url("/302?to=\(target)")
        await #expect(throws: HTTPError.badRedirect(location: target, from: url)) {
            try await HTTPSession().data(for: HTTPRequest(url: url))
        }
    }

    @Test func aRedirectWithoutTargetIsAResponse() async throws {
        let server = try FaultServer { connection, _ in try connection.respond("302 Found", text: "nowhere") }
        #expect(try await HTTPSession().data(for: HTTPRequest(url: server.url("/"))).text == "nowhere")
    }

    /// A redirect's endless body is not waited for.
    @Test func theBodyOfARedirectIsDroppedWhereItIsLong() async throws {
        let server = try FaultServer { connection, request in
            guard request.target == "/" else { return try connection.respond(text: "end") }
            try connection.respond("302 Found", fields: ["Location: /end", "Content-Length: 1000000000"])
            while true { try connection.send(Data(count: 10_000)) }
        }
        #expect(try await HTTPSession().data(for: HTTPRequest(url: server.url("/"))).text == "end")
        #expect(await eventually { server.openConnectionCount <= 1 })
    }

    @Test func fragmentsAreInherited() async throws {
        let server = try redirector()
        let url = try #require(URL(string: server.url("/302?to=/end").absoluteString + "#part"))
        let answer = try await HTTPSession().data(for: HTTPRequest(url: url))
        #expect(answer.response.url.fragment == "part")
        #expect(server.requests.allSatisfy { !$0.target.contains("#") })
    }
}
