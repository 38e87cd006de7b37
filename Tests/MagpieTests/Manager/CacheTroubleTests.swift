import Foundation
import Magpie
import MagpieHTTP
import MagpieImage
import MagpieTestSupport
import Testing

/// What befalls the files of a cache costs the entries: the pictures still load, and nothing else is touched.
@Suite(.timeLimit(.minutes(1))) struct CacheTroubleTests {
    private let folder: TemporaryFolder
    private let server: FaultServer
    private var cacheFolder: URL { folder.url.appendingPathComponent("cache") }
    private var outside: URL { folder.url.appendingPathComponent("outside") }
    private let count = 8

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Data("mine".utf8), to: "outside/letter")
        server = try FaultServer { connection, request in
            // The picture /N is N pixels wide, so that one is not taken for another.
            let width = Int(request.target.dropFirst()) ?? 1
            try connection.respond(body: try TestPicture.encoded(width: width, height: 20))
        }
    }

    private func manager() -> ImageManager {
        ImageManager(cache: ImageCache(name: "cache", folder: folder.url), downloader: ImageDownloader())
    }

    /// Loads all pictures past the memory, and says where they came from.
    private func load(_ manager: ImageManager) async throws -> [ImageSource] {
        manager.cache.clearMemory()
        var sources: [ImageSource] = []
        for width in 30..<30 + count {
            let result = try await manager.load(server.url("/\(width)"), options: [.waitStoreCache]).result.get()
            let expected = try TestPicture.bitmap(width: width, height: 20)
            #expect(result.image.bitmap.straightRGBA() == expected.straightRGBA())
            sources.append(result.source)
        }
        return sources
    }

    private func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: cacheFolder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "magpie" }
    }

    private func expectNothingOutsideTouched() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["letter"])
        #expect(try Data(contentsOf: outside.appendingPathComponent("letter")) == Data("mine".utf8))
    }

    private var fromNetwork: [ImageSource] { Array(repeating: .network, count: count) }
    private var fromDisk: [ImageSource] { Array(repeating: .disk, count: count) }

    // MARK: - Files

    @Test(arguments: ["cut", "flipped", "emptied", "swapped"])
    func damagedFilesAreFetchedAgain(damage: String) async throws {
        let manager = manager()
        #expect(try await load(manager) == fromNetwork)
        #expect(try await load(manager) == fromDisk)
        let files = try files()
        #expect(files.count == count)
        let contents = try files.map { try Data(contentsOf: $0) }
        for (number, file) in files.enumerated() {
            var bytes = contents[number]
            // Another place in each file: in the picture, in what is stored with it, at the end.
            let position = bytes.count * (2 * number + 1) / (2 * count)
            switch damage {
            case "cut": bytes = bytes.prefix(position)
            case "flipped": bytes[position] ^= 0x10
            case "emptied": bytes = Data()
            default: bytes = contents[(number + 1) % count]
            }
            try bytes.write(to: file)
        }
        #expect(try await load(manager) == fromNetwork)
        #expect(try await load(manager) == fromDisk)
        try expectNothingOutsideTouched()
    }

    // MARK: - The folder

    @Test func aDeletedFolderIsMadeAgain() async throws {
        let manager = manager()
        _ = try await load(manager)
        try FileManager.default.removeItem(at: cacheFolder)
        #expect(try await load(manager) == fromNetwork)
        #expect(try await load(manager) == fromDisk)
    }

    @Test func aForeignFolderInItsPlaceIsLeftAlone() async throws {
        let manager = manager()
        _ = try await load(manager)
        try FileManager.default.moveItem(at: cacheFolder, to: folder.url.appendingPathComponent("moved"))
        try FileManager.default.createSymbolicLink(at: cacheFolder, withDestinationURL: outside)
        _ = try await load(manager)
        // Nothing can be kept any more.
        let fresh = self.manager()
        #expect(try await load(fresh) == fromNetwork)
        await fresh.cache.clearDisk()
        await fresh.cache.removeExpired()
        try expectNothingOutsideTouched()
    }

    @Test(.enabled(if: TestMount.isAllowed, "only who may mount can make a folder read-only for everybody"))
    func aReadOnlyFolderIsRead() async throws {
        let manager = manager()
        _ = try await load(manager)
        let mount = try TestMount(readOnly: cacheFolder)
        defer { withExtendedLifetime(mount) {} }
        let before = try files().count
        #expect(try await load(manager) == fromDisk)
        let more = try await manager.load(server.url("/99"), options: [.waitStoreCache]).result.get()
        #expect(more.source == .network)
        await manager.cache.removeData(for: server.url("/30").absoluteString)
        #expect(try files().count == before)
    }

    @Test(.enabled(if: TestMount.isAllowed, "only who may mount can make a small file system"))
    func aFullDiskCostsEntriesOnly() async throws {
        try FileManager.default.createDirectory(at: cacheFolder, withIntermediateDirectories: true)
        let mount = try TestMount(at: cacheFolder, megabytes: 20)
        defer { withExtendedLifetime(mount) {} }
        let ballast = cacheFolder.appendingPathComponent("ballast")
        try Data().write(to: ballast)
        let handle = try FileHandle(forWritingTo: ballast)
        // Down to the last page.
        for size in [1 << 20, 4096] {
            while (try? handle.write(contentsOf: Data(count: size))) != nil {}
        }
        try handle.close()
        let manager = manager()
        #expect(try await load(manager) == fromNetwork)
        #expect(try await load(manager) == fromNetwork)
        try FileManager.default.removeItem(at: ballast)
        #expect(try await load(manager) == fromNetwork)
        #expect(try await load(manager) == fromDisk)
    }
}
