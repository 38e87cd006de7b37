import Foundation
import MagpieTestSupport
import Testing

/// `magpie http` against a server that others made.
@Suite(.timeLimit(.minutes(2)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HTTPRequestTests {
    private let magpie: CommandRun

    init() throws {
        magpie = try CommandRun()
    }

    private func url(_ path: String) async throws -> String {
        try await HttpbinServer.shared().url(path).absoluteString
    }

    /// Sends a request that must succeed in silence, and reads the JSON that comes.
    private func json(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> [String: Any]
    {
        let run = try await magpie.run(["http"] + arguments)
        #expect(run.status == 0 && run.messages.isEmpty, "\(run.messages)", sourceLocation: sourceLocation)
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return try #require(object as? [String: Any], sourceLocation: sourceLocation)
    }

    @Test func itemsBecomeFieldsQueryAndBody() async throws {
        let seen = try await json(
            try await url("anything"),
            "X-Bird: Elster é",
            "User-Agent:",
            "q==a b&c",
            "name=Ada é",
            "age:=36",
            "tags:=[1,null]"
        )
        #expect(seen["method"] as? String == "POST")
        #expect(seen["args"] as? [String: String] == ["q": "a b&c"])
        let body = try #require(seen["json"] as? [String: Any])
        #expect(body["name"] as? String == "Ada é" && body["age"] as? Int == 36)
        #expect((body["tags"] as? [Any])?.count == 2)
        let fields = try #require(seen["headers"] as? [String: String])
        #expect(fields["Content-Type"] == "application/json" && fields["User-Agent"] == nil)
        #expect(fields["X-Bird"] != nil)
    }

    @Test func formsAndFiles() async throws {
        try magpie.folder.write(Data("notes".utf8), to: "notes.txt")
        let form = try await json("--form", "PUT", try await url("anything"), "a=1 + 1", "text=@notes.txt")
        #expect(form["method"] as? String == "PUT")
        #expect(form["form"] as? [String: String] == ["a": "1 + 1", "text": "notes"])
        let parts = try await json("-f", try await url("anything"), "a=1", "file@notes.txt;type=text/x-notes")
        #expect(parts["form"] as? [String: String] == ["a": "1"])
        #expect(parts["files"] as? [String: String] == ["file": "notes"])
        let plist = try await json("--plist", try await url("anything"), "a=1")
        #expect((plist["data"] as? String)?.contains("<key>a</key>") == true)
        let upload = try await json("--upload", "notes.txt", try await url("anything"))
        #expect(upload["method"] as? String == "PUT" && upload["data"] as? String == "notes")
        #expect((upload["headers"] as? [String: String])?["Content-Type"] == "text/plain")
    }

    @Test func theHeadIsShownWhereItIsAskedFor() async throws {
        let run = try await magpie("http", "-i", try await url("response-headers?X-Bird=magpie"))
        let lines = run.output.components(separatedBy: "\n")
        #expect(lines.first == "HTTP/1.1 200 OK")
        #expect(lines.contains("X-Bird: magpie"))
        #expect(lines.contains(""))
    }

    @Test func aRefusalIsShownAndEndsInStatusOne() async throws {
        let run = try await magpie("http", try await url("status/418"))
        #expect(run.status == 1)
        #expect(run.output.contains("teapot"))
        #expect(try await magpie("http", "--expect", "json", try await url("status/418")).output == run.output)
        #expect(run.messages.contains("418") && run.messages.split(separator: "\n").count == 1)
        let missing = try await magpie("http", "--download", "x", try await url("status/404"))
        #expect(missing.status == 1 && missing.messages.contains("404"))
        #expect(!magpie.exists("x") && !magpie.exists("x.part"))
    }

    @Test func passwordsAndTokens() async throws {
        let cases = [
            ["--user", "ada:s:é", "basic-auth/ada/s:é"],
            ["--user", "ada:secret", "--auth-type", "digest", "digest-auth/auth/ada/secret"],
            ["--user", "token", "--auth-type", "bearer", "bearer"],
        ]
        for arguments in cases {
            let address = try await HttpbinServer.shared().baseURL.absoluteString + (arguments.last ?? "")
            let run = try await magpie.run(["http"] + arguments.dropLast() + [address])
            #expect(run.status == 0, "\(arguments) \(run.messages)")
        }
        let wrong = try await magpie("http", "--user", "ada:guess", try await url("basic-auth/ada/secret"))
        #expect(wrong.status == 1 && wrong.messages.contains("401"))
    }

    @Test func redirectsAreFollowedShownOrLimited() async throws {
        #expect(try await json(try await url("redirect/2"))["url"] as? String == url("get"))
        let shown = try await magpie("http", "--no-follow", "-i", try await url("redirect/2"))
        #expect(shown.status == 0 && shown.output.hasPrefix("HTTP/1.1 302"))
        let limited = try await magpie("http", "--max-redirects", "1", try await url("redirect/2"))
        #expect(limited.status == 1 && limited.messages.split(separator: "\n").count == 1)
        #expect(limited.messages.contains("redirect"))
    }

    @Test func cookiesLastFromRunToRun() async throws {
        let set = try await json("--cookie-jar", "jar.txt", try await url("cookies/set?bird=magpie"))
        #expect(set["cookies"] as? [String: String] == ["bird": "magpie"])
        #expect(try String(decoding: magpie.contents("jar.txt"), as: UTF8.self).contains("bird\tmagpie"))
        let again = try await json("--cookie-jar", "jar.txt", try await url("cookies"))
        #expect(again["cookies"] as? [String: String] == ["bird": "magpie"])
        let preview = try await magpie("http", "--offline", "--cookie-jar", "jar.txt", try await url("cookies"))
        #expect(preview.output.contains("\r\nCookie: bird=magpie\r\n"))
        #expect(try await json(try await url("cookies"))["cookies"] as? [String: String] == [:])
        _ = try await json("--cookie-jar", "jar.txt", try await url("cookies/delete?bird="))
        #expect(try !String(decoding: magpie.contents("jar.txt"), as: UTF8.self).contains("bird"))
        let bad = try await magpie("http", "--cookie-jar", "no/folder/jar.txt", try await url("get"))
        #expect(bad.status == 1 && bad.messages.contains("no/folder/jar.txt"))
    }

    @Test func compressionIsAskedForOnlyOnDemand() async throws {
        #expect(try await json("--compressed", try await url("brotli"))["brotli"] as? Bool == true)
        let plain = try await json(try await url("headers"))
        #expect((plain["headers"] as? [String: String])?["Accept-Encoding"] == nil)
    }

    @Test func bytesArriveAsTheyAre() async throws {
        let address = try await url("image/png")
        let run = try await magpie.shell("$MAGPIE http '\(address)' > out.png && $MAGPIE http -o file.png '\(address)'")
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(try magpie.contents("out.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try magpie.contents("out.png") == magpie.contents("file.png"))
        let text = try await magpie("http", try await url("base64/4oiuIEXii4VkYSA9IFEsICBuIOKGkiDiiJ4="))
        #expect(text.output == "∮ E⋅da = Q,  n → ∞")
    }

    @Test func aReaderThatGoesEndsItQuietly() async throws {
        let address = try await url("stream-bytes/100000?chunk_size=100")
        let run = try await magpie.shell("{ $MAGPIE http '\(address)'; echo $? >status; } | head -c 1 >/dev/null")
        #expect(run.messages.isEmpty)
        #expect(try magpie.contents("status") == Data("1\n".utf8))
    }

    @Test(arguments: ["", "-i"]) func aFullDiskIsSaid(option: String) async throws {
        let address = try await url("get")
        let run = try await magpie.shell("$MAGPIE http \(option) '\(address)' >/dev/full")
        #expect(run.status == 1)
        #expect(run.messages.contains("No space left") && run.messages.split(separator: "\n").count == 1)
    }

    @Test(arguments: [("json", "get", "xml"), ("xml", "xml", "html"), ("image", "image/jpeg", "get")])
    func aBodyOfAnotherKindIsAnError(kind: String, good: String, bad: String) async throws {
        let address = try await url(good)
        #expect(try await magpie.shell("$MAGPIE http --expect \(kind) '\(address)' >/dev/null").status == 0)
        let run = try await magpie("http", "--expect", kind, try await url(bad))
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test func measures() async throws {
        let run = try await magpie("http", "--metrics", "HEAD", try await url("get"))
        #expect(run.status == 0 && run.output.isEmpty)
        for word in ["dns", "connect", "tls", "first byte", "total", "received", "protocol", "reused"] {
            #expect(run.messages.contains(word))
        }
        #expect(run.messages.contains("HTTP/1.1"))
    }

    @Test func timeOut() async throws {
        let run = try await magpie("http", "--timeout", "0.2", try await url("delay/5"))
        #expect(run.status == 1 && run.messages.contains("--timeout"))
    }
}
