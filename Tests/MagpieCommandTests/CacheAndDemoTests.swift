import Foundation
import MagpieImage
import MagpieTestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CacheAndDemoTests {
    private let magpie: CommandRun

    init() throws {
        magpie = try CommandRun()
    }

    @Test func theCacheIsListedCountedAndCleared() async throws {
        let data = try TestPicture.encoded(width: 8, height: 8)
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Type: image/png"], body: data)
        }
        let path = try await magpie("cache", "path")
        #expect(path.output == magpie.folder.url.appendingPathComponent("xdg/magpie/default").path + "\n")
        let urls = ["/a.png", "/b.png"].map { server.url($0).absoluteString }
        _ = try await magpie.run(["get"] + urls)
        let stats = try #require(try await magpie("cache", "stats", "--json").json.first)
        #expect(stats["count"] as? Int == 2)
        #expect((stats["bytes"] as? Int ?? 0) > 2 * data.count)
        let list = try await magpie("cache", "list", "--json").json
        #expect(Set(list.compactMap { $0["key"] as? String }) == Set(urls))
        #expect(list.allSatisfy { $0["content_type"] as? String == "image/png" })
        // The file of an entry is the picture itself, for any viewer.
        let file = try #require(list.first?["path"] as? String)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: data))
        #expect(try await magpie("cache", "clear").status == 0)
        #expect(try await magpie("cache", "list").output.isEmpty)
    }

    @Test func aFolderOfTheUsersChoice() async throws {
        let run = try await magpie("cache", "path", "--cache-dir", "here")
        #expect(run.output == magpie.folder.url.appendingPathComponent("here").path + "\n")
    }

    @Test func theDemoLoadsEachPictureOnceFromTheServerAndWritesTheSheet() async throws {
        let run = try await magpie("demo")
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.messages.isEmpty)
        #expect(run.output.contains("12 pictures"))
        #expect(run.output.contains("12 requests"))
        let info = try ImageCoders.shared.info(try magpie.contents("gallery.png"))
        #expect(info.width == 1360 && info.height == 784)
    }

    @Test func versionAndHelp() async throws {
        #expect(try await magpie("--version").output == "magpie 0.1.0\n")
        let help = try await magpie("--help")
        #expect(help.status == 0)
        for subcommand in ["get", "info", "decode", "cache", "demo"] {
            #expect(help.output.contains("  \(subcommand)"))
            let own = try await magpie(subcommand, "--help")
            #expect(own.status == 0)
            #expect(own.output.hasPrefix("usage: magpie \(subcommand)"))
        }
    }
}
