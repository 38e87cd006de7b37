import Foundation
import MagpieTestSupport
import Testing

/// Downloads, uploads, TLS and proxies of `magpie http`.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are not installed"), .timeLimit(.minutes(2)))
struct HTTPTransferTests {
    private let magpie: CommandRun
    private let name = "http-\(UUID().uuidString)"

    init() throws {
        magpie = try CommandRun()
    }

    /// Puts a file on the server.
    private func serve(_ data: Data) async throws -> NginxServer {
        let server = try await NginxServer.shared()
        try data.write(to: server.root.appendingPathComponent(name))
        return server
    }

    @Test func whatAnInterruptionLeavesIsContinued() async throws {
        // The server sends 64 kB at once, and as much each second later.
        let body = TestBytes.pattern(count: 250_000)
        let server = try await serve(body)
        let url = server.url("/slow/\(name)").absoluteString
        let run = try magpie.start(["http", "--download", "file.bin", url])
        let part = magpie.folder.url.appendingPathComponent("file.bin.part").path
        // On a thread of its own, since the other tests may keep Swift's threads busy until the transfer is over.
        let hasBegun = TestGate()
        Thread.detachNewThread {
            while run.process.isRunning {
                let size = (try? FileManager.default.attributesOfItem(atPath: part))?[.size] as? Int
                if size ?? 0 > 0 { break }
                usleep(2000)
            }
            run.process.interrupt()
            hasBegun.open()
        }
        await hasBegun.pass()
        let interrupted = await run.outcome()
        #expect(interrupted.status == 130)
        #expect(interrupted.messages.isEmpty && interrupted.output.isEmpty)
        #expect(magpie.exists("file.bin.part") && !magpie.exists("file.bin"))
        #expect(try await magpie("http", "--download", "file.bin", "--continue", url).status == 0)
        #expect(try magpie.contents("file.bin") == body)
        #expect(!magpie.exists("file.bin.part") && !magpie.exists("file.bin.part.json"))
        let log = try await server.requests(under: "/slow/\(name)", atLeast: 2)
        #expect(log.last?.status == 206 && (log.last?.bytesSent ?? 0) < body.count)
    }

    @Test func withoutContinueADownloadBeginsAnew() async throws {
        let server = try await serve(Data("magpie".utf8))
        try magpie.folder.write(Data("old".utf8), to: "file.part")
        let run = try await magpie("http", "-o", "file", "-i", server.url("/\(name)").absoluteString)
        #expect(run.status == 0 && run.output.hasPrefix("HTTP/1.1 200"))
        #expect(try magpie.contents("file") == Data("magpie".utf8))
        #expect(!magpie.exists("file.part"))
    }

    @Test func uploads() async throws {
        let server = try await NginxServer.shared()
        let body = TestBytes.pattern(count: 2_000_000)
        try magpie.folder.write(body, to: "body.bin")
        let url = server.url("/upload/\(name)", through: .secure).absoluteString
        let run = try await magpie("http", "--upload", "body.bin", "--cacert", server.caFile.path, "-i", url)
        #expect(run.status == 0 && run.output.hasPrefix("HTTP/2 201"), "\(run.output) \(run.messages)")
        #expect(try Data(contentsOf: server.root.appendingPathComponent(name)) == body)
    }

    @Test func trust() async throws {
        let server = try await serve(Data("magpie".utf8))
        let url = server.url("/\(name)", through: .secure).absoluteString
        let authority = ["--cacert", server.caFile.path]
        let other = "sha256//" + Data(repeating: 1, count: 32).base64EncodedString()
        let good = [
            authority, ["--insecure"], authority + ["--pin", server.publicKeyPin],
            authority + ["--pin", other, "--pin", server.publicKeyPin],
        ]
        for words in good {
            let run = try await magpie.run(["http", url] + words)
            #expect(run.status == 0 && run.output == "magpie", "\(run.messages)")
        }
        for words in [[], authority + ["--pin", other], ["--insecure", "--pin", other]] {
            let run = try await magpie.run(["http", url] + words)
            #expect(run.status == 1 && run.output.isEmpty && run.messages.contains("certificate"), "\(run.messages)")
        }
        let closed = server.url("/\(name)", through: .clientCertificate).absoluteString
        let identity = [
            "--cert", server.certificateFile("client.pem").path, "--key", server.certificateFile("client.key").path,
        ]
        #expect(try await magpie.run(["http", closed] + authority + identity).output == "magpie")
        #expect(try await magpie.run(["http", closed] + authority).status == 1)
    }

    @Test(arguments: [("--http1.1", "HTTP/1.1"), ("--http2", "HTTP/2"), ("--follow", "HTTP/2")])
    func versions(option: String, version: String) async throws {
        let server = try await serve(Data("magpie".utf8))
        let url = server.url("/\(name)", through: .secure).absoluteString
        let run = try await magpie("http", option, "-i", "--cacert", server.caFile.path, url)
        #expect(run.output.hasPrefix("\(version) 200"), "\(run.output) \(run.messages)")
    }

    @Test func proxies() async throws {
        let server = try await serve(Data("magpie".utf8))
        let proxy = try TestProxy(credential: "Basic " + Data("ada:p@ss".utf8).base64EncodedString())
        let url = server.url("/\(name)").absoluteString
        let address = "http://ada:p%40ss@127.0.0.1:\(proxy.port)"
        #expect(try await magpie("http", "--proxy", address, url).output == "magpie")
        #expect(proxy.targets == ["127.0.0.1:\(server.url("/").port ?? 0)"])
        let secure = server.url("/\(name)", through: .secure).absoluteString
        #expect(try await magpie("http", "--proxy", address, "--insecure", secure).output == "magpie")
        #expect(proxy.heads.last?.hasPrefix("CONNECT localhost:") == true)
        let open = try TestProxy()
        #expect(try await magpie("http", "--proxy", "socks5h://127.0.0.1:\(open.port)", url).output == "magpie")
        #expect(open.targets.count == 1)
        // A preview does not go anywhere, whatever the environment says.
        let environment = ["http_proxy": "http://127.0.0.1:\(open.port)"]
        let preview = try await magpie("http", "--offline", url, environment: environment)
        #expect(preview.status == 0 && preview.output.hasPrefix("GET /\(name) HTTP/1.1\r\n"))
        #expect(open.targets.count == 1)
    }
}
