import Foundation
import MagpieTestSupport
import Testing

/// `magpie cache` on the pictures that `magpie get` has kept.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are not installed"), .timeLimit(.minutes(2)))
struct CacheCommandTests {
    private let magpie: CommandRun
    /// The addresses of three pictures, in the order in which they were loaded.
    private let urls: [String]

    init() async throws {
        magpie = try CommandRun()
        let server = try await NginxServer.shared()
        let folder = "cache-command-\(UUID().uuidString)"
        let place = server.root.appendingPathComponent(folder)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let names = ["a.png", "b.png", "ç d.png"]
        for (index, name) in names.enumerated() {
            try TestPicture.encoded(width: 40 + index, height: 30).write(to: place.appendingPathComponent(name))
        }
        urls = names.map {
            let name = $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? $0
            return server.url("/\(folder)/\(name)").absoluteString
        }
        let run = try await magpie.run(["get", "--concurrency", "1", "-o", "out"] + urls)
        #expect(run.status == 0, "\(run.messages)")
    }

    private func json(_ words: String...) async throws -> [[String: Any]] {
        let run = try await magpie.run(["cache", "--json"] + words)
        #expect(run.status == 0 && run.messages.isEmpty, "\(run.messages)")
        return run.json
    }

    private var folder: URL { magpie.folder.url.appendingPathComponent("xdg/magpie/default") }

    /// The file of a picture.
    private func file(of url: String) async throws -> URL {
        URL(fileURLWithPath: try #require(try await json("show", url).first?["path"] as? String))
    }

    @Test func whatIsThere() async throws {
        #expect(try await json("path").first?["path"] as? String == folder.path)
        let list = try await json("list")
        // The last used first.
        #expect(list.map { $0["key"] as? String } == urls.reversed())
        let stats = try #require(try await json("stats").first)
        #expect(stats["count"] as? Int == 3 && stats["path"] as? String == folder.path)
        #expect(stats["bytes"] as? Int == list.compactMap { $0["bytes"] as? Int }.reduce(0, +))
        for (url, line) in zip(urls.reversed(), list) {
            let shown = try #require(try await json("show", url).first)
            #expect(NSDictionary(dictionary: shown) == NSDictionary(dictionary: line))
            #expect(shown["url"] as? String == url && shown["content_type"] as? String == "image/png")
            #expect((shown["etag"] as? String)?.hasPrefix("\"") == true && shown["last_modified"] is String)
        }
        let text = try await magpie("cache", "show", urls[0])
        #expect(text.output.contains("content type\timage/png\n") && text.output.contains("key\t\(urls[0])\n"))
        let missing = try await magpie("cache", "show", urls[0] + "x")
        #expect(missing.status == 1 && missing.output.isEmpty && missing.messages.contains("cache list"))
        #expect(missing.messages.split(separator: "\n").count == 1)
    }

    @Test func trimming() async throws {
        let size = try #require(try await json("stats").first?["bytes"] as? Int)
        let kept = try #require(try await json("trim", "--max-size", "\(size)", "--max-age", "1h").first)
        #expect(kept["removed"] as? Int == 0 && kept["count"] as? Int == 3 && kept["bytes"] as? Int == size)
        // One of three is less than half of what may be there.
        #expect(try await magpie("get", urls[0], "-o", "again.png").status == 0)
        let last = try await json("list").first?["key"] as? String
        let less = try #require(try await json("trim", "--max-size", "\(size - 1)").first)
        #expect(less["removed"] as? Int == 2 && less["count"] as? Int == 1)
        let removed = try #require(less["removed_bytes"] as? Int)
        #expect(less["bytes"] as? Int == size - removed)
        #expect(try await json("list").map { $0["key"] as? String } == [last])
        let all = try #require(try await json("trim", "--max-age", "0").first)
        #expect(all["removed"] as? Int == 1 && all["count"] as? Int == 0 && all["bytes"] as? Int == 0)
        #expect(try await json("list").isEmpty)
    }

    @Test func damagedFilesAreFoundAndFetchedAgain() async throws {
        let sound = try #require(try await json("verify").first)
        #expect(sound["checked"] as? Int == 3 && sound["damaged"] as? Int == 0)
        #expect(sound["index_rebuilt"] as? Bool == false && sound["corrected"] as? Int == 0)
        // One flipped bit; an end that is missing.
        let (first, second) = (try await file(of: urls[0]), try await file(of: urls[1]))
        var data = try Data(contentsOf: first)
        data[data.startIndex + 20] ^= 1
        try data.write(to: first)
        try Data(contentsOf: second).dropLast(5).write(to: second)
        let report = try #require(try await json("verify").first)
        #expect(report["checked"] as? Int == 3 && report["damaged"] as? Int == 2 && report["count"] as? Int == 1)
        #expect(try await json("list").map { $0["key"] as? String } == [urls[2]])
        #expect(!FileManager.default.fileExists(atPath: first.path))
        let again = try await magpie("get", "--json", urls[0], urls[2], "-o", "again")
        let sources = again.json.reduce(into: [:]) { $0[$1["url"] as? String ?? ""] = $1["source"] as? String }
        #expect(sources == [urls[0]: "network", urls[2]: "disk"])
        #expect(try await json("verify").first?["damaged"] as? Int == 0)
    }

    @Test func aDamagedIndexIsMadeAnew() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasPrefix("index") {
            try Data(repeating: 0x55, count: 8192).write(to: folder.appendingPathComponent(name))
        }
        #expect(names.contains { $0.hasPrefix("index") })
        _ = try await json("verify")
        #expect(try await json("stats").first?["count"] as? Int == 3)
        #expect(try await json("list").count == 3)
        let again = try await magpie("get", "--json", "--cache-only", urls[1], "-o", "again.png")
        #expect(again.json.first?["source"] as? String == "disk")
    }

    @Test func wrongUsage() async throws {
        let cases: [([String], String)] = [
            ([], "path"), (["paths"], "path"), (["show"], "URL"), (["list", "x"], "nothing"),
            (["trim", "--max-size", "1T"], "200M"), (["trim", "--max-age", "x"], "12h"),
            (["stats", "--cache-dir", ""], "--cache-dir"),
        ]
        for (words, hint) in cases {
            let run = try await magpie.run(["cache"] + words)
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.messages.contains(hint), "\(run.messages)")
        }
    }

    /// Nothing was ever kept there, and looking makes nothing.
    @Test func aFolderThatIsNotThere() async throws {
        #expect(try await json("stats", "--cache-dir", "none").first?["count"] as? Int == 0)
        #expect(try await json("list", "--cache-dir", "none").isEmpty)
        #expect(try await json("verify", "--cache-dir", "none").first?["checked"] as? Int == 0)
        #expect(try await json("trim", "--cache-dir", "none").first?["removed"] as? Int == 0)
        #expect(!magpie.exists("none"))
    }
}
