import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What concerns a process as a whole, each in a process of its own: its environment, its descriptors, its end.
@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
    @Test func proxiesOfTheEnvironment() async {
        await #expect(processExitsWith: .success) {
            let server = try FaultServer { connection, request in
                // The next request shall look for its way anew.
                try connection.respond(fields: ["Connection: close"], body: Data(request.head.utf8))
            }
            let (proxy, other) = (try TestProxy(), try TestProxy())
            let session = HTTPSession()
            let load = { @Sendable (host: String) async throws(HTTPError) in
                try await session.get("http://\(host):\(server.port)/").status
            }
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            setenv("no_proxy", "127.0.0.1,.direct.invalid", 1)
            #expect(try await load("a.invalid") == 200)
            #expect(try await load("127.0.0.1") == 200)
            #expect(proxy.targets == ["a.invalid:\(server.port)"])
            let direct = await #expect(throws: HTTPError.self) { try await load("b.direct.invalid") }
            #expect(direct == .unknownHost("b.direct.invalid"))
            // The one for the scheme goes before the one for all.
            setenv("ALL_PROXY", "socks5h://127.0.0.1:\(other.port)", 1)
            #expect(try await load("c.invalid") == 200)
            #expect(proxy.targets.count == 2 && other.targets.isEmpty)
            unsetenv("http_proxy")
            #expect(try await load("d.invalid") == 200)
            #expect(other.targets == ["d.invalid:\(server.port)"])
            // A field "Proxy" of a request becomes HTTP_PROXY in a script of a server; it is not heeded.
            setenv("HTTP_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
            unsetenv("ALL_PROXY")
            #expect(await #expect(throws: HTTPError.self) { try await load("e.invalid") } == .unknownHost("e.invalid"))
        }
    }

    @Test func noDescriptorsAreLeft() async {
        await #expect(processExitsWith: .success) {
            let server = try FaultServer { connection, request in
                try connection.respond(fields: ["Connection: close"], body: Data(request.target.utf8))
            }
            let session = HTTPSession()
            #expect(try await session.data(for: HTTPRequest(url: server.url("/before"))).text == "/before")
            // The next request needs a connection of its own, and no other end gives a descriptor back.
            #expect(await eventually { server.openConnectionCount == 0 })
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 256
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [CInt] = []
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            let newcomer = HTTPSession()
            for session in [session, newcomer] {
                let error = await #expect(throws: HTTPError.self) {
                    try await session.data(for: HTTPRequest(url: server.url("/during")))
                }
                #expect(error == .tooManyOpenFiles)
            }
            for descriptor in taken { close(descriptor) }
            #expect(try await session.data(for: HTTPRequest(url: server.url("/after"))).text == "/after")
        }
    }

    /// The process ends while connections are being secured, used and closed on the transport's thread.
    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func theEndOfTheProcess() async {
        await #expect(processExitsWith: .success) {
            let server = try await NginxServer.shared()
            try TestBytes.pattern(count: 1 << 20).write(to: server.root.appending(path: "end.bin"))
            for round in 0..<8 {
                let transport = CurlTransport()
                let configuration = HTTPSession.Configuration(
                    trust: .init(caFile: server.caFile),
                    versions: round.isMultiple(of: 2) ? .automatic : .http1Only
                )
                let session = HTTPSession(configuration: configuration, transport: transport)
                let request = HTTPRequest(url: server.url("/end.bin", through: .secure))
                for _ in 0..<4 {
                    session.data(for: request, completion: { _ in })
                }
                if round < 4 { _ = try await session.data(for: request) }
                transport.shutdown()
            }
            exit(0)
        }
    }
}
