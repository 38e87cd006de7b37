import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The ways to a server: proxies, other places for hosts, sockets of the file system, limits.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    private func session(_ connection: HTTPConnectionSettings, trust: HTTPTrust = .system) -> HTTPSession {
        var configuration = HTTPSession.Configuration(trust: trust)
        configuration.connection = connection
        return HTTPSession(configuration: configuration)
    }

    private func greeter() throws -> FaultServer {
        try FaultServer { connection, request in try connection.respond(text: request.head) }
    }

    @Test func plainRequestsGoThroughAProxyInAbsoluteForm() async throws {
        let server = try greeter()
        let proxy = try TestProxy(credential: "Basic dTpw")
        defer { proxy.stop() }
        let route = HTTPProxy.Server(host: "127.0.0.1", port: proxy.port, user: "u", password: "p")
        let url = try #require(URL(string: "http://somewhere.invalid:\(server.port)/path"))
        let answer = try await session(.init(proxy: .server(route))).data(for: HTTPRequest(url: url))
        #expect(answer.text?.hasPrefix("GET /path HTTP/1.1\r\n") == true)
        #expect(answer.text?.contains("Host: somewhere.invalid:\(server.port)") == true)
        #expect(proxy.targets == ["somewhere.invalid:\(server.port)"])
        let wrong = HTTPProxy.Server(host: "127.0.0.1", port: proxy.port, user: "u", password: "x")
        let refused = try await session(.init(proxy: .server(wrong))).data(for: HTTPRequest(url: url))
        #expect(refused.status == 407)
    }

    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func secureRequestsGoThroughATunnel() async throws {
        let server = try await NginxServer.shared()
        try Data("tunnel".utf8).write(to: server.root.appending(path: "tunnel.txt"))
        let proxy = try TestProxy(credential: "Basic dTpw")
        defer { proxy.stop() }
        let url = server.url("/tunnel.txt", through: .secure)
        let trust = HTTPTrust(caFile: server.caFile)
        for (user, field) in [("u", nil), (nil, "Basic dTpw")] {
            let route = HTTPProxy.Server(
                host: "127.0.0.1",
                port: proxy.port,
                user: user,
                password: user.map { _ in "p" }
            )
            var request = HTTPRequest(url: url)
            if let field { request.headerFields[.proxyAuthorization] = field }
            let answer = try await session(.init(proxy: .server(route)), trust: trust).data(for: request)
            #expect(answer.text == "tunnel")
            #expect(answer.metrics.version == .http2)
        }
        #expect(proxy.heads.allSatisfy { $0.hasPrefix("CONNECT localhost:") })
        let error = await #expect(throws: HTTPError.self) {
            try await session(.init(proxy: .server(.init(host: "127.0.0.1", port: proxy.port))), trust: trust)
                .data(for: HTTPRequest(url: url))
        }
        #expect(error == .proxyAuthenticationRequired(challenges: ["Basic realm=\"door\""]))
    }

    /// What is said to a proxy does not reach the server behind a tunnel, nor a server that is reached without a proxy.
    @Test func theServerDoesNotSeeWhatIsForTheProxy() async throws {
        let server = try greeter()
        let request = HTTPRequest(url: server.url(), headerFields: [.proxyAuthorization: "Basic dTpw"])
        let answer = try await session(.init(proxy: .none)).data(for: request)
        #expect(answer.text?.contains("Proxy-Authorization") == false)
    }

    @Test(arguments: [HTTPProxy.Scheme.socks4, .socks4a, .socks5, .socks5h])
    func socksProxies(scheme: HTTPProxy.Scheme) async throws {
        let server = try greeter()
        let proxy = try TestProxy()
        defer { proxy.stop() }
        let host = [.socks4a, .socks5h].contains(scheme) ? "somewhere.invalid" : "127.0.0.1"
        let route = HTTPProxy.Server(scheme, host: "127.0.0.1", port: proxy.port)
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))
        let answer = try await session(.init(proxy: .server(route))).data(for: HTTPRequest(url: url))
        #expect(answer.status == 200)
        #expect(proxy.targets == ["\(host):\(server.port)"])
    }

    /// A server with TLS answers requests in absolute form, as a proxy would.
    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func aProxyMayBeReachedThroughTLS() async throws {
        let server = try await NginxServer.shared()
        try Data("through TLS".utf8).write(to: server.root.appending(path: "proxied.txt"))
        let port = try #require(server.url("/", through: .secureHTTP1).port)
        let url = try #require(URL(string: "http://somewhere.invalid/proxied.txt"))
        var route = HTTPProxy.Server(.https, host: "localhost", port: port, authorities: .file(server.caFile))
        #expect(try await session(.init(proxy: .server(route))).data(for: HTTPRequest(url: url)).text == "through TLS")
        route.authorities = .pem(try Data(contentsOf: server.caFile))
        #expect(try await session(.init(proxy: .server(route))).data(for: HTTPRequest(url: url)).text == "through TLS")
        route.authorities = .system
        let error = await #expect(throws: HTTPError.self) {
            try await session(.init(proxy: .server(route))).data(for: HTTPRequest(url: url))
        }
        #expect(error?.code == "proxy-failed")
    }

    /// Limits of speed hold on average: the time that a body takes at least is known.
    @Test(arguments: [true, false])
    func speedIsLimited(isUpload: Bool) async throws {
        let (body, limit) = (Data(count: 800_000), Int64(1_000_000))
        let server = try FaultServer { connection, _ in try connection.respond(body: isUpload ? Data() : body) }
        let session = session(.init(maximumReceiveSpeed: limit, maximumSendSpeed: limit))
        var request = HTTPRequest(method: isUpload ? .put : .get, url: server.url())
        if isUpload { request.body = .bytes(body) }
        let start = ContinuousClock.now
        _ = try await session.data(for: request)
        #expect(.now - start > .milliseconds(400))
    }

    /// The server names another place for itself (RFC 7838); later requests go there.
    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func anAlternativeServiceIsUsedAndKept() async throws {
        let server = try await NginxServer.shared()
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "alternatives")
        let url = server.url("/elsewhere/", through: .secure)
        let other = try #require(server.url("/", through: .chained).port)
        for expected in [try #require(url.port), other] {
            let transport = CurlTransport(limits: .init(alternativeServicesFile: file))
            let session = HTTPSession(configuration: .init(trust: .init(caFile: server.caFile)), transport: transport)
            #expect(try await session.data(for: HTTPRequest(url: url)).text == "\(expected)")
            transport.shutdown()
            #expect(await eventually { (try? String(contentsOf: file, encoding: .utf8))?.contains("\(other)") == true })
        }
    }

    @Test func exceptionsAndDeadProxies() async throws {
        let server = try greeter()
        let port = try DeafListener.refusingPort()
        let skipped = HTTPProxy.Server(host: "127.0.0.1", port: port, exceptions: ["127.0.0.1"])
        #expect(
            try await session(.init(proxy: .server(skipped))).data(for: HTTPRequest(url: server.url())).status == 200
        )
        let dead = HTTPProxy.Server(host: "127.0.0.1", port: port)
        let error = await #expect(throws: HTTPError.self) {
            try await session(.init(proxy: .server(dead))).data(for: HTTPRequest(url: server.url()))
        }
        #expect(error?.code == "proxy-failed")
    }

    @Test func aHostMayBeSomewhereElse() async throws {
        let server = try greeter()
        let override = HTTPConnectionSettings.HostOverride(
            host: "api.example.invalid",
            port: 80,
            address: "127.0.0.1",
            addressPort: server.port
        )
        let session = session(.init(proxy: .none, hostOverrides: [override]))
        let url = try #require(URL(string: "http://api.example.invalid/"))
        let answer = try await session.data(for: HTTPRequest(url: url))
        #expect(answer.text?.contains("Host: api.example.invalid\r\n") == true)
        let other = try #require(URL(string: "http://other.example.invalid/"))
        await #expect(throws: HTTPError.unknownHost("other.example.invalid")) {
            try await session.data(for: HTTPRequest(url: other))
        }
    }

    @Test func socketsOfTheFileSystem() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "s").path
        let server = try FaultServer(path: path) { connection, request in try connection.respond(text: request.head) }
        defer { server.stop() }
        let url = try #require(URL(string: "http://engine/version"))
        let answer = try await session(.init(unixSocketPath: path)).data(for: HTTPRequest(url: url))
        #expect(answer.text?.hasPrefix("GET /version HTTP/1.1\r\nHost: engine\r\n") == true)
    }

    @Test func theServerIsAskedBeforeABodyIsSent() async throws {
        let server = try FaultServer(readsBodies: false) { connection, request in
            guard request.field("Expect") == "100-continue" else { throw FaultConnection.Closed() }
            if request.target == "/refused" { return try connection.respond("417 Expectation Failed", text: "") }
            if request.target == "/asked" { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            try connection.respond(body: connection.readBytes(4) ?? Data())
        }
        let session = session(.init(continueLimit: .milliseconds(50)))
        for path in ["/asked", "/silent"] {
            let source = ScriptedBody(count: 4, [.bytes(Data("body".utf8))])
            let request = HTTPRequest(method: .put, url: server.url(path), body: .source(source))
            #expect(try await session.data(for: request).text == "body")
        }
    }

    @Test func connectionsAreLimited() async throws {
        let server = try greeter()
        let transport = CurlTransport(limits: .init(maximumConnections: 1))
        defer { transport.shutdown() }
        let session = HTTPSession(transport: transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { _ = try await session.data(for: HTTPRequest(url: server.url())) }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount == 1)
    }

    @Test(.enabled(if: !CurlTransport.supportsHTTP3))
    func whatLibcurlLacksIsSaid() async throws {
        let server = try greeter()
        await #expect(throws: HTTPError.unsupportedFeature("HTTP/3")) {
            try await HTTPSession(configuration: .init(versions: .http3)).data(for: HTTPRequest(url: server.url()))
        }
    }

    @Test func trailersOfAnAnswer() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Transfer-Encoding: chunked"])
            try connection.send("2\r\nok\r\n0\r\nX-Sum: 17\r\n\r\n")
        }
        let listener = ExchangeListener()
        let transport = CurlTransport()
        defer { transport.shutdown() }
        _ = transport.start(HTTPRequest(url: server.url()), settings: .init(), delegate: listener)
        await listener.end.pass()
        #expect(listener.trailers.map(\.description) == ["X-Sum: 17"])
    }

    @Test(arguments: [HTTPContentCoding.gzip, .deflate])
    func bodiesAreCompressedWhileTheyAreSent(coding: HTTPContentCoding) async throws {
        let server = try FaultServer { connection, request in
            try connection.respond(
                fields: ["Content-Encoding: \(request.field("Content-Encoding") ?? "")"],
                body: request.body
            )
        }
        let bytes = TestBytes.pattern(count: 1_000_000)
        let steps = [ScriptedBody.Step.bytes(bytes.prefix(300_000)), .wait, .bytes(bytes.dropFirst(300_000))]
        let source = ScriptedBody(steps)
        let session = HTTPSession()
        for body in [HTTPRequestBody.bytes(bytes), .source(source)] {
            var request = HTTPRequest(method: .post, url: server.url(), body: body)
            request.compressBody(with: coding)
            async let answer = session.data(for: request)
            if body.source != nil {
                #expect(await eventually { source.isWaiting })
                source.proceed()
            }
            #expect(try await answer.body == bytes)
        }
        #expect(await eventually { source.closeCount == 1 })
        #expect(server.requests.allSatisfy { $0.body.count < bytes.count })
    }

    @Test func metricsAreComplete() async throws {
        let server = try FaultServer { connection, request in try connection.respond(body: request.body) }
        let request = HTTPRequest(method: .post, url: server.url(), body: .bytes(Data(count: 1000)))
        let metrics = try await HTTPSession().data(for: request).metrics
        #expect(metrics.bytesSent == 1000 && metrics.bytesReceived == 1000)
        #expect(metrics.headerBytesSent == Int64(server.requests.first?.head.utf8.count ?? 0))
        #expect(metrics.headerBytesReceived == Int64("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8.count))
        #expect(metrics.localAddress == "127.0.0.1" && metrics.remoteAddress == "127.0.0.1")
        #expect(metrics.security == nil && metrics.version == .http1_1)
        #expect(metrics.connect > .zero && metrics.requestStart >= metrics.connect)
        #expect(metrics.firstByte >= metrics.requestStart && metrics.total >= metrics.firstByte)
    }
}
