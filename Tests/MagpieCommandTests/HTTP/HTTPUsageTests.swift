import Foundation
import MagpieTestSupport
import Testing

/// Words that `magpie http` cannot use, and what would be sent.
@Suite(.timeLimit(.minutes(2))) struct HTTPUsageTests {
    private let magpie: CommandRun

    init() throws {
        magpie = try CommandRun()
    }

    @Test(
        "Wrong usage ends in status 2 and says what is meant",
        arguments: [
            (["http"], "which address?"), (["http", "GET"], "GET URL"), (["http", ""], "no address"),
            (["http", "h", "word"], "name=field"), (["http", "h", "a b:c"], "name of a field"),
            (["http", "h", "a:=b"], "a=..."), (["http", "h", "file@x"], "--form"),
            (["http", "--form", "--json", "h"], "choose one"), (["http", "--upload", "x", "h", "a=1"], "--upload"),
            (["http", "--continue", "h"], "--download"), (["http", "--expect", "pdf", "h"], "json, xml"),
            (["http", "--expect", "any", "-o", "x", "h"], "--expect"),
            (["http", "--user", "ada", "h"], "NAME:PASSWORD"),
            (["http", "--auth-type", "ntlm", "--user", "a:b", "h"], "digest"),
            (["http", "--auth-type", "basic", "h"], "--user"), (["http", "--no-follow", "--follow", "h"], "--follow"),
            (["http", "--max-redirects", "-1", "h"], "--max-redirects"), (["http", "--retry", "x", "h"], "--retry"),
            (["http", "--timeout", "0", "h"], "seconds"), (["http", "--pin", "x", "h"], "sha256//"),
            (["http", "--key", "x", "h"], "--cert"), (["http", "--http1.1", "--http2", "h"], "--http2"),
            (["http", "--proxy", "ftp://a:secret@h", "h"], "socks5h://"), (["http", "--proxy", "", "h"], "--proxy"),
            (["http", "--cookie-jar", "", "h"], "--cookie-jar"), (["http", "--download", "", "h"], "--download"),
            (["http", "--no-such", "h"], "no-such"), (["http", "--c", "h"], "ambiguous"),
        ]
    )
    func wrongUsage(words: [String], hint: String) async throws {
        let run = try await magpie.run(words)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.messages.contains(hint), "\(run.messages)")
        #expect(!run.messages.contains("secret"))
        #expect(run.messages.contains("'magpie http --help'"))
    }

    @Test(
        "A preview is what a server receives, byte for byte",
        arguments: [
            ["URL"], ["URL", "q==a b", "X-Empty;", "Accept:"], ["URL", "name=Ada é", "n:=1.50"],
            ["--form", "PATCH", "URL", "a=1 & 2"], ["--compressed", "--user", "ada:secret", "DELETE", "URL"],
            ["--upload", "body.bin", "URL", "Host:other.example"], ["--plist", "URL", "a=1"], ["OPTIONS", "URL"],
            ["USERURL"],
        ]
    )
    func preview(words: [String]) async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "ok") }
        try magpie.folder.write(
            TestBytes.pattern(count: 200_000).map { $0 | 1 } + Data("\r\n\r\n".utf8),
            to: "body.bin"
        )
        let address = server.url("/päth/a%20b?x=1").absoluteString
        let addresses = ["URL": address, "USERURL": address.replacing("://", with: "://ada:s%40@")]
        let words = ["http"] + words.map { addresses[$0] ?? $0 }
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let preview = try await magpie.shell("$MAGPIE \(quoted) --offline >preview")
        #expect(preview.status == 0 && preview.messages.isEmpty, "\(preview.messages)")
        #expect(server.connectionCount == 0)
        #expect(try await magpie.run(words).output == "ok")
        let request = try #require(server.requests.first)
        let shown = try magpie.contents("preview")
        #expect(shown == Data(request.head.utf8) + request.body)
    }

    @Test func aPreviewOfManyPartsIsWhole() async throws {
        try magpie.folder.write(TestBytes.pattern(count: 100_000), to: "body.bin")
        let run = try await magpie.shell("$MAGPIE http --offline -f https://example.org/ a=1 'f@body.bin' >preview")
        #expect(run.status == 0)
        let shown = try magpie.contents("preview")
        let end = try #require(shown.range(of: Data("\r\n\r\n".utf8)))
        let head = String(decoding: shown[..<end.lowerBound], as: UTF8.self)
        #expect(head.hasPrefix("POST / HTTP/1.1\r\nHost: example.org\r\n"))
        #expect(head.contains("\r\nContent-Length: \(shown.count - end.upperBound)"))
        #expect(shown.range(of: TestBytes.pattern(count: 100_000)) != nil)
    }

    @Test func failuresAreOneLine() async throws {
        let port = try DeafListener.refusingPort()
        let cases = [
            ["http://127.0.0.1:\(port)/"], ["http://no-such-host.invalid/"], ["ftp://127.0.0.1/"],
            ["--upload", "none.txt", "http://127.0.0.1:\(port)/"], ["--offline", "--upload", "none.txt", "h"],
            ["-f", "http://127.0.0.1:\(port)/", "a@none.txt"], ["http://127.0.0.1:\(port)/", "a=@none.txt"],
            ["http://127.0.0.1:\(port)/", "X-A:1\r\nX-B: 2"],
            ["--cacert", "none.pem", "https://127.0.0.1:\(port)/"],
            ["--proxy", "127.0.0.1:\(port)", "http://a.example/"],
        ]
        for words in cases {
            let run = try await magpie.run(["http"] + words)
            #expect(run.status == 1 && run.output.isEmpty, "\(words)")
            #expect(run.messages.hasPrefix("magpie: "))
            #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
        }
    }
}
