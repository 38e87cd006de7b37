import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Servers that do what they must not, and requests as they arrive on the wire.
@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
    private func error(_ request: HTTPRequest, _ configuration: HTTPSession.Configuration = .init()) async -> HTTPError?
    {
        do {
            _ = try await HTTPSession(configuration: configuration).data(for: request)
            return nil
        } catch { return error }
    }

    private func error(from handler: @escaping FaultServer.Handler) async throws -> HTTPError? {
        let server = try FaultServer(handler)
        return await error(HTTPRequest(url: server.url()))
    }

    @Test func bodiesThatEndEarly() async throws {
        let announced = try await error { connection, _ in
            try connection.respond(fields: ["Content-Length: 100"])
            try connection.send("only this")
            throw FaultConnection.Closed()
        }
        #expect(announced == .bodyTooShort(received: 9, expected: 100))
        let chunked = try await error { connection, _ in
            try connection.respond(fields: ["Transfer-Encoding: chunked"])
            try connection.send("9\r\nonly this\r\n")
            throw FaultConnection.Closed()
        }
        #expect(chunked == .bodyTooShort(received: 9, expected: nil))
    }

    @Test func answersThatAreNoHTTP() async throws {
        for garbage in [
            "SSH-2.0-OpenSSH_9.2\r\n\r\n", "\u{1}\u{2}\u{3}\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        ] {
            let error = try await error { connection, _ in
                try connection.send(garbage)
                throw FaultConnection.Closed()
            }
            #expect(error?.code == "malformed-response", "\(garbage)")
        }
    }

    @Test func aHeadWithoutEnd() async throws {
        let error = try await error { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n")
            while true { try connection.send("X-Field: \(String(repeating: "x", count: 1000))\r\n") }
        }
        #expect(error != nil)
    }

    @Test func connectionsThatAreCut() async throws {
        let silent = try await error { _, _ in throw FaultConnection.Closed() }
        #expect(silent?.code == "connection-lost")
        let reset = try await error { connection, _ in
            try connection.respond(fields: ["Content-Length: 100"])
            connection.reset()
        }
        #expect(reset?.code == "connection-lost")
    }

    @Test func bodiesInAnotherEncodingThanAnnounced() async throws {
        let error = try await error { connection, _ in
            try connection.respond(fields: ["Content-Encoding: gzip"], text: "this is not gzip at all")
        }
        #expect(error?.code == "undecodable-body")
    }

    @Test func addressesThatLeadNowhere() async throws {
        let port = try DeafListener.refusingPort()
        let cases: [(String, HTTPError)] = [
            ("http://127.0.0.1:\(port)/", .connectionRefused(host: "127.0.0.1", port: port)),
            ("http://no-such-host.invalid/", .unknownHost("no-such-host.invalid")),
            ("/no/host", .invalidURL("/no/host")), ("http:///path", .invalidURL("http:///path")),
        ]
        for (text, expected) in cases {
            #expect(await error(HTTPRequest(url: try #require(URL(string: text)))) == expected)
        }
        for text in ["ftp://127.0.0.1/a", "file:///etc/passwd"] {
            let url = try #require(URL(string: text))
            #expect(await error(HTTPRequest(url: url)) == .unsupportedScheme(url.scheme ?? "", url))
        }
        await #expect(throws: HTTPError.invalidURL("http://[broken")) {
            try await HTTPSession(baseURL: "http://[broken").get("a")
        }
        // An absolute address needs no base.
        #expect(try HTTPSession(baseURL: "http://[broken").url(for: "http://h/a").absoluteString == "http://h/a")
    }

    @Test func interimAnswersAndTrailersAreLeftOut() async throws {
        let server = try FaultServer { connection, _ in
            try connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            try connection.send(
                "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nX-Odd:\u{e9}\r\n\r\n"
            )
            try connection.send("5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n")
        }
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url()))
        #expect(answer.status.code == 200)
        #expect(answer.status.reasonPhrase == "Fine")
        #expect(!answer.headerFields.contains(.link))
        #expect(answer.headerFields.map(\.name.rawName) == ["Transfer-Encoding", "Trailer", "X-Odd"])
        #expect(answer.headerFields.last?.value == "\u{e9}")
        #expect(answer.text == "hello")
    }

    @Test func foldedFieldsAreOne() async throws {
        let server = try FaultServer { connection, _ in
            try connection.send(
                "HTTP/1.1 200 OK\r\nX-Folded: a\r\n  X-Inner: b\r\n\t\r\n\tc\r\nContent-Length: 0\r\n\r\n"
            )
        }
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url()))
        #expect(answer.headerFields.map(\.description) == ["X-Folded: a X-Inner: b c", "Content-Length: 0"])
    }

    @Test func timeOutsAtEachStage() async throws {
        let short = Duration.milliseconds(150)
        let deaf = try DeafListener()
        let connect = HTTPSession.Configuration(timeouts: .init(connect: short))
        #expect(await error(HTTPRequest(url: deaf.url), connect) == .timedOut(stage: .connect, after: short))

        let gate = TestGate()
        defer { gate.open() }
        let silent = try FaultServer { connection, request in
            if request.target == "/body" { try connection.respond(fields: ["Content-Length: 9"]) }
            gate.block()
        }
        for path in ["/head", "/body"] {
            let idle = HTTPSession.Configuration(timeouts: .init(idle: short))
            #expect(await error(HTTPRequest(url: silent.url(path)), idle) == .timedOut(stage: .idle, after: short))
            var request = HTTPRequest(url: silent.url(path))
            request.timeouts = .init(total: short)
            #expect(await error(request) == .timedOut(stage: .total, after: short))
        }
    }

    /// A server that drips is never idle; the total limit ends it, over redirects too.
    @Test func theTotalLimitSpansDripsAndRedirects() async throws {
        let server = try FaultServer { connection, request in
            guard request.target != "/" else {
                return try connection.respond("302 Found", fields: ["Location: /drip"], body: Data())
            }
            try connection.respond(fields: ["Content-Length: 1000000"])
            while true {
                try connection.send("x")
                usleep(5000)
            }
        }
        let limits = HTTPTimeouts(idle: .milliseconds(100), total: .milliseconds(300))
        let error = await error(HTTPRequest(url: server.url("/")), .init(timeouts: limits))
        #expect(error == .timedOut(stage: .total, after: .milliseconds(300)))
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, .get])
    func bodiesArriveAsTheyWereGiven(method: HTTPRequest.Method) async throws {
        let server = try FaultServer { connection, request in try connection.respond(body: request.body) }
        let body = TestBytes.pattern(count: 300_000)
        let slice = body.dropFirst(1000)
        let request = HTTPRequest(
            method: method,
            url: server.url(),
            headerFields: [.contentType: "application/x-magpie"],
            body: .bytes(slice)
        )
        let answer = try await HTTPSession().data(for: request)
        #expect(answer.body == slice)
        #expect(server.requests.first?.method == method.rawValue)
        #expect(server.requests.first?.field("Content-Type") == "application/x-magpie")
        #expect(server.requests.first?.field("Expect") == nil)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
    func aMethodThatExpectsABodySaysThatThereIsNone(method: HTTPRequest.Method) async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "") }
        let session = HTTPSession()
        for body in [nil, HTTPRequestBody.bytes(Data())] {
            _ = try await session.data(for: HTTPRequest(method: method, url: server.url(), body: body))
        }
        #expect(server.requests.allSatisfy { $0.field("Content-Length") == "0" && $0.field("Content-Type") == nil })
        #expect(server.requests.allSatisfy { $0.field("Expect") == nil })
        _ = try await session.data(for: HTTPRequest(method: .delete, url: server.url()))
        #expect(server.requests.last?.method == "DELETE")
        #expect(server.requests.last?.field("Content-Length") == nil)
    }

    /// Nothing of one request is left in the handle that carries the next.
    @Test func nothingLeaksThroughPooledHandles() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        let session = HTTPSession(configuration: .init(headerFields: [.userAgent: "test"]))
        let plain = HTTPRequest(url: server.url("/plain"))
        _ = try await session.data(for: plain)
        let user = try #require(
            URL(string: server.url("/user").absoluteString.replacing("http://", with: "http://u:p@"))
        )
        var rich = HTTPRequest(
            method: .put,
            url: user,
            headerFields: [.accept: "a", .acceptEncoding: "b", .contentType: "c", .via: ""],
            body: .bytes(Data("body".utf8))
        )
        rich.timeouts = .init(connect: .seconds(1))
        for request in [rich, HTTPRequest(method: .head, url: server.url("/head")), rich] {
            _ = try await session.data(for: request)
            _ = try await session.data(for: plain)
        }
        let plains = server.requests.filter { $0.target == "/plain" }
        #expect(plains.count == 4)
        #expect(Set(plains.map(\.head)).count == 1)
        #expect(plains.allSatisfy { $0.body.isEmpty && $0.method == "GET" })
        let riches = server.requests.filter { $0.target == "/user" }
        #expect(riches.allSatisfy { $0.field("Authorization") == "Basic dTpw" && $0.field("Via") == "" })
        #expect(server.connectionCount == 1)
    }

    @Test func defaultFieldsFillInOnly() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        let session = HTTPSession(configuration: .init(headerFields: [.userAgent: "mine", .accept: "image/*"]))
        _ = try await session.data(for: HTTPRequest(url: server.url(), headerFields: [.accept: "text/*"]))
        #expect(server.requests.first?.field("User-Agent") == "mine")
        #expect(server.requests.first?.field("Accept") == "text/*")
        _ = try await HTTPSession().data(for: HTTPRequest(url: server.url()))
        #expect(server.requests.last?.field("User-Agent")?.hasPrefix("Magpie/") == true)
    }

    @Test(arguments: [
        ("foo", "/v1/foo"), ("foo?bar=baz", "/v1/foo?bar=baz"), ("/foo", "/foo"), ("foo/", "/v1/foo/"),
        ("/foo/", "/foo/"),
        ("", "/v1/"),
    ])
    func relativeAddresses(path: String, expected: String) throws {
        for base in ["http://host/v1", "http://host/v1/"] {
            #expect(try HTTPSession(baseURL: base).url(for: path).absoluteString == "http://host\(expected)")
        }
        #expect(try HTTPSession(baseURL: "http://host/v1/").url(for: "http://other/").absoluteString == "http://other/")
        #expect(throws: HTTPError.invalidURL("foo")) { try HTTPSession().url(for: "foo") }
    }
}
