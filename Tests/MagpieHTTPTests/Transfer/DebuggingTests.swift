import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What may be shown of requests: commands that work, and logs without secrets.
@Suite(.timeLimit(.minutes(1)))
struct DebuggingTests {
    private func request(_ url: String, _ fields: HTTPFields = [:], body: HTTPRequestBody? = nil) throws -> HTTPRequest
    {
        HTTPRequest(
            method: body == nil ? .get : .post,
            url: try #require(URL(string: url)),
            headerFields: fields,
            body: body
        )
    }

    @Test func commandsAreShort() throws {
        #expect(try request("https://example.org/a").curlCommand == "curl --globoff https://example.org/a")
        var head = try request("https://example.org/a?b=c&d=it's")
        head.method = .head
        #expect(head.curlCommand == #"curl --globoff --head 'https://example.org/a?b=c&d=it'\''s'"#)
    }

    @Test func secretsAreHiddenUnlessAskedFor() throws {
        var request = try request("https://example.org/?access_token=t0p&q=1#id_token=t0p", [.cookie: "sid=t0p"])
        request.headerFields[.authorization] = "Bearer t0p"
        #expect(
            request.curlCommand
                == "curl --globoff --header 'Cookie: ***' --header 'Authorization: Bearer ***' "
                + "'https://example.org/?access_token=***&q=1#id_token=***'"
        )
        request.headerFields = [:]
        request.credential = HTTPCredential(user: "ada", password: "t0p")
        #expect(request.curlCommand.contains("--anyauth --user 'ada:***'"))
        #expect(request.curlCommand(redaction: .none).contains("--user ada:t0p"))
        request.credential = .bearer("t0p")
        #expect(!request.curlCommand.contains("t0p"))
    }

    /// The shell and curl send what the session sends, byte for byte.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "the program curl is needed"),
        arguments: [
            Data("a=b&c='d' \"e\" $HOME `id` \\n %s\n\u{1F426}".utf8), Data("@/etc/passwd".utf8), Data((0...255)),
            Data(),
        ]
    )
    func commandsWork(_ body: Data) async throws {
        let server = try FaultServer { connection, _ in try connection.respond() }
        let url = server.url("/a%20b/[1]?q={x}&r='$(id)'").absoluteString
        let name = try #require(HTTPField.Name("X-Empty"))
        let fields: HTTPFields = [.accept: "it's; \"x\" $HOME", name: "", .userAgent: "Magpie"]
        let request = try request(url, fields, body: .bytes(body))
        _ = try await HTTPSession().data(for: request)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", request.curlCommand(redaction: .none) + " --silent"]
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(status == 0)
        let (ours, theirs) = (try #require(server.requests.first), try #require(server.requests.last))
        #expect(server.requests.count == 2)
        #expect(theirs.method == ours.method)
        #expect(theirs.target == ours.target)
        #expect(theirs.body == ours.body)
        for field in ["Accept", "X-Empty", "User-Agent", "Content-Type"] {
            #expect(theirs.field(field) == ours.field(field), "\(field)")
        }
    }

    @Test func fieldsAreRedacted() throws {
        let fields: HTTPFields = [
            .authorization: "Basic YTpi", .proxyAuthorization: "token", .setCookie: "a=b", .contentType: "text/html",
            .location: "https://a:b@example.org/x?Token=1&y=2", .link: "</a?sig=1&b=2>",
        ]
        #expect(
            fields.redacted()
                == [
                    .authorization: "Basic ***", .proxyAuthorization: "***", .setCookie: "***",
                    .contentType: "text/html", .location: "https://***@example.org/x?Token=***&y=2",
                    .link: "</a?sig=***&b=2>",
                ]
        )
        #expect(fields.redacted(by: .none) == fields)
    }

    @Test func aLoggerWritesWhatHappens() async throws {
        let server = try FaultServer { connection, request in
            guard request.target.hasPrefix("/new") else {
                return try connection.respond("302 Found", fields: ["Location: /new?token=t0p"], text: "")
            }
            try connection.respond(fields: ["Set-Cookie: sid=t0p"], text: "hello")
        }
        let lines = Recorder<String>()
        let logger = HTTPLogger(detail: .headerFields) { lines.record($0) }
        let session = HTTPSession(configuration: .init(eventMonitors: [logger]))
        var request = HTTPRequest(url: server.url("/old?api_key=t0p"))
        request.headerFields[.authorization] = "Bearer t0p"
        _ = try await session.data(for: request)
        _ = await lines.elements(5)
        let text = lines.elements.joined(separator: "\n")
        #expect(!text.contains("t0p"))
        #expect(text.contains("GET http://127.0.0.1:\(server.port)/old?api_key=***"))
        #expect(text.contains("    Authorization: Bearer ***"))
        #expect(text.contains("↪"))
        #expect(text.contains("200 OK\n"))
        #expect(text.contains("5 bytes in"))
        let port = try DeafListener.refusingPort()
        _ = try? await session.data(for: try self.request("http://127.0.0.1:\(port)/"))
        #expect(await eventually { lines.elements.last?.hasPrefix("✗") == true })
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "user=ada&password=t0p", "user=ada&password=***"),
        ("application/x-www-form-urlencoded; charset=utf-8", "user[pass]=t0p&a=b", "user[pass]=***&a=b"),
        ("application/x-www-form-urlencoded", "user%5BPass%5D=t0p", "user%5BPass%5D=***"),
        ("application/json", #"{"b":[{"Token":"t0p"}],"a":1}"#, #"{"a":1,"b":[{"Token":"***"}]}"#),
        ("application/problem+json", #"{"b": 1, "a": 2}"#, #"{"b": 1, "a": 2}"#),
        ("application/json", #"{"token":"t0p""#, "@body"), ("multipart/form-data; boundary=x", "t0p", "@body"),
        ("application/xml", "<password>t0p</password>", "@body"),
    ])
    func secretsInBodiesAreHidden(type: String, text: String, shown: String) throws {
        let request = try request("https://a.example/", [.contentType: type], body: .bytes(Data(text.utf8)))
        let option = shown == "@body" ? "--data-binary @body" : "--data-raw '\(shown)'"
        #expect(request.curlCommand.contains(option), "\(request.curlCommand)")
        #expect(request.curlCommand(redaction: .none).contains(text))
    }

    @Test func bytesAreNotShown() throws {
        let request = try request("https://a.example/", body: .bytes(Data([0, 1, 255])))
        #expect(request.curlCommand.contains("--data-binary @body"))
    }
}
