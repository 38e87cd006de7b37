import Foundation
import Glibc
import MagpieTestSupport
import Testing

/// What a person sees on a bad day: each a line on standard error, the right exit status, and nothing written.
@Suite(.timeLimit(.minutes(2))) struct BadInputTests {
    private let magpie: CommandRun

    init() throws {
        magpie = try CommandRun()
    }

    private func expectFailure(
        _ arguments: String...,
        status: Int32 = 1,
        says parts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await magpie.run(arguments)
        #expect(run.status == status, sourceLocation: sourceLocation)
        #expect(run.output.isEmpty, sourceLocation: sourceLocation)
        let lines = run.messages.split(separator: "\n")
        #expect(lines.count == (status == 2 ? lines.count : 1), "\(run.messages)", sourceLocation: sourceLocation)
        #expect(run.messages.hasPrefix("magpie"), sourceLocation: sourceLocation)
        for part in parts {
            #expect(run.messages.contains(part), "\(run.messages)", sourceLocation: sourceLocation)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: magpie.folder.url.path)
        #expect(left.filter { $0 != "xdg" }.isEmpty, sourceLocation: sourceLocation)
    }

    /// A server that gives one answer to everything.
    private func answering(_ body: Data, status: String = "200 OK", type: String = "image/jpeg") throws -> FaultServer {
        try FaultServer { connection, _ in
            try connection.respond(status, fields: ["Content-Type: \(type)"], body: body)
        }
    }

    @Test func unknownHost() async throws {
        try await expectFailure("get", "http://no-such-host.invalid/a.jpg", says: "no-such-host.invalid")
    }

    @Test func refusedPort() async throws {
        let port = try DeafListener.refusingPort()
        try await expectFailure("get", "http://127.0.0.1:\(port)/a.jpg", says: "\(port)")
    }

    @Test func notFound() async throws {
        let server = try answering(Data("no".utf8), status: "404 Not Found")
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "404 Not Found", "check the address")
    }

    @Test func serverError() async throws {
        let server = try answering(Data("no".utf8), status: "500 Internal Server Error")
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "500", "try again later")
    }

    @Test func timeOut() async throws {
        let server = try FaultServer { connection, _ in _ = connection.waitForPeerToClose(seconds: 20) }
        try await expectFailure("get", "--timeout", "0.3", server.url("/a.jpg").absoluteString, says: "--timeout")
    }

    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are not installed"))
    func badCertificates() async throws {
        let server = try await NginxServer.shared()
        let cases: [(NginxServer.Entrance, String)] = [
            (.selfSigned, "self-signed"), (.wrongHost, "localhost"), (.expired, "expired"), (.notYetValid, "valid"),
            (.secure, "authority"),
        ]
        for (entrance, word) in cases {
            let url = server.url("/a.jpg", through: entrance).absoluteString
            let authority = entrance == .secure ? [] : ["--cacert", server.caFile.path]
            let run = try await magpie.run(["get", url] + authority)
            #expect(run.status == 1)
            #expect(run.messages.contains(word) && run.messages.contains("--insecure"), "\(run.messages)")
            #expect(run.messages.split(separator: "\n").count == 1)
        }
    }

    @Test func truncatedBody() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 5000", "Content-Type: image/jpeg"])
            try connection.send(Data(repeating: 0xFF, count: 1000))
            connection.cut()
        }
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "1000", "5000")
    }

    @Test func aPageInPlaceOfAPicture() async throws {
        let server = try answering(Data("<!doctype html><title>Sign in</title>".utf8))
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "HTML", "image/jpeg")
    }

    @Test func emptyBody() async throws {
        let server = try answering(Data())
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "empty")
    }

    @Test func aClaimOfSixtyThousandBySixtyThousandPixels() async throws {
        let data = TestPicture.pngHeader(width: 60_000, height: 60_000)
        let server = try answering(data, type: "image/png")
        try await expectFailure(
            "get",
            server.url("/a.png").absoluteString,
            says: "claims 60000 x 60000 pixels (14.4 GB)",
            "--max-pixels"
        )
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a.jpg"]) func otherSchemes(url: String) async throws {
        try await expectFailure("get", url, says: "http")
    }

    @Test(arguments: ["not a url", "http://", "http://[::1", "://a/b", ""]) func malformedAddresses(text: String)
        async throws
    {
        let run = try await magpie("get", "--", text)
        #expect(run.status == 1)
        #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
        #expect(run.messages.contains("address") || run.messages.contains("http"), "\(run.messages)")
    }

    @Test func aRedirectLoop() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond("302 Found", fields: ["Location: /again"], body: Data())
        }
        try await expectFailure("get", server.url("/a.jpg").absoluteString, says: "redirect")
    }

    @Test func controlCharactersFromAServerDoNotReachTheTerminal() async throws {
        let server = try FaultServer { connection, _ in
            try connection.send("HTTP/1.1 404 \u{1B}[31mRed\u{7}\r\nContent-Length: 0\r\n\r\n")
        }
        let run = try await magpie("get", server.url("/a.jpg").absoluteString)
        #expect(run.status == 1)
        #expect(!run.messages.contains("\u{1B}"))
    }

    @Test func errorsAsJSON() async throws {
        let server = try answering(Data("no".utf8), status: "404 Not Found")
        let run = try await magpie("get", "--json", server.url("/a.jpg").absoluteString)
        #expect(run.status == 1)
        let line = try #require(run.json.first)
        #expect(line["ok"] as? Bool == false)
        let error = try #require(line["error"] as? [String: Any])
        #expect(error["code"] as? String == "unacceptable-status")
        #expect((error["message"] as? String)?.contains("404") == true)
    }

    @Test func wrongUsage() async throws {
        try await expectFailure("get", status: 2, says: "URL")
        try await expectFailure("get", "--no-such-option", "http://h/", status: 2, says: "no-such-option", "--help")
        try await expectFailure("get", "--thumbnail", "big", "http://h/", status: 2, says: "512x512")
        try await expectFailure("get", "--format", "psd", "http://h/", status: 2, says: "jpeg, png")
        try await expectFailure("get", "--quality", "200", "http://h/", status: 2, says: "1 to 100")
        try await expectFailure("get", "--header", "nonsense", "http://h/", status: 2, says: "--header")
        try await expectFailure("get", "--pin", "x", "http://h/", status: 2, says: "sha256//")
        try await expectFailure("get", "--timeout", "-1", "http://h/", status: 2, says: "seconds")
        try await expectFailure("frobnicate", status: 2, says: "frobnicate", "--help")
        try await expectFailure("decode", "a.png", status: 2, says: "--rgba")
        try await expectFailure("cache", "explode", status: 2, says: "explode")
        try await expectFailure("info", status: 2, says: "file")
        try await expectFailure(status: 2, says: "--help")
    }

    @Test func aFullDisk() async throws {
        let server = try answering(try TestPicture.encoded(width: 64, height: 64), type: "image/png")
        let run = try await magpie("get", server.url("/a.png").absoluteString, "-o", "/dev/full/x.png")
        #expect(run.status == 1)
        #expect(run.messages.contains("cannot write"))
    }

    @Test func aCacheFolderThatCannotBeMadeCostsNothingButTheCache() async throws {
        let server = try answering(try TestPicture.encoded(width: 8, height: 8), type: "image/png")
        let run = try await magpie("get", server.url("/a.png").absoluteString, "--cache-dir", "/proc/none/cache")
        #expect(run.status == 0)
        #expect(magpie.exists("a.png"))
    }

    @Test func outputGoesIntoPipesAndThroughLinksAndReplacesNeither() async throws {
        let picture = try TestPicture.encoded(width: 8, height: 8)
        let server = try answering(picture, type: "image/png")
        let url = server.url("/a.png").absoluteString
        let pipe = magpie.folder.url.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        // Both ends are open, so that neither side waits for the other.
        let descriptor = open(pipe, O_RDWR)
        defer { close(descriptor) }
        #expect(try await magpie("get", url, "-o", "pipe").status == 0)
        var bytes = [UInt8](repeating: 0, count: picture.count)
        #expect(read(descriptor, &bytes, bytes.count) == picture.count)
        #expect(Data(bytes) == picture)

        try FileManager.default.createSymbolicLink(
            atPath: magpie.folder.url.appendingPathComponent("link.png").path,
            withDestinationPath: "target.png"
        )
        try magpie.folder.write(Data("old".utf8), to: "target.png")
        #expect(try await magpie("get", url, "-o", "link.png").status == 0)
        #expect(try magpie.contents("target.png") == picture)
        let names = try FileManager.default.contentsOfDirectory(atPath: magpie.folder.url.path)
        #expect(names.sorted() == ["link.png", "pipe", "target.png", "xdg"])
    }

    @Test func standardOutputTakesOnePictureAndNothingElse() async throws {
        try await expectFailure("get", "-o", "-", "http://h/a", "http://h/b", status: 2, says: "-o -")
        try await expectFailure("get", "-o", "-", "--json", "http://h/a", status: 2, says: "-o -")
        try await expectFailure("decode", "a", "--rgba", "-", "--png", "-", status: 2, says: "--rgba")
    }

    @Test func anEndlessErrorPageIsCutOffAndItsStatusTold() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond("404 Not Found", fields: ["Content-Type: text/html"])
            while true { try connection.send(Data(repeating: 0x20, count: 65_536)) }
        }
        try await expectFailure("get", server.url("/a.png").absoluteString, says: "404 Not Found")
    }

    @Test func endlessNamesAreCutQuickly() async throws {
        let server = try answering(try TestPicture.encoded(width: 8, height: 8), type: "image/png")
        for part in [String(repeating: "a", count: 30_000), String(repeating: "%CC%81", count: 5_000)] {
            let run = try await magpie("get", server.url("/\(part).png").absoluteString)
            #expect(run.status == 0, "\(run.messages)")
        }
    }

    @Test func escapesFromAServerDoNotReachTheTerminalByWayOfTheCache() async throws {
        let picture = try TestPicture.encoded(width: 8, height: 8)
        let server = try answering(picture, type: "image/\u{1B}[31mpng")
        _ = try await magpie("get", server.url("/a.png").absoluteString)
        let list = try await magpie("cache", "list")
        #expect(list.output.contains("a.png"))
        #expect(!list.output.contains("\u{1B}"))
    }
}
