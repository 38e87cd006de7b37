import Foundation
import Glibc
import MagpieTestSupport
import Testing

@testable import Magpie
@testable import MagpieStorage

@Suite struct DiskCacheTests {
    private let folder: TemporaryFolder
    private var location: URL { folder.url.appendingPathComponent("cache") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func entry(_ key: String, size: Int = 1000, byte: UInt8 = 7) -> CachedData {
        CachedData(key: key, data: Data(repeating: byte, count: size), contentType: "image/png", entityTag: "\"1\"")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: location.path).sorted()
    }

    @Test func whatWasStoredComesBackWhole() throws {
        let cache = DiskCache(folder: location)
        let stored = CachedData(
            key: "http://h/ü?a=b",
            data: Data([1, 2, 3]),
            contentType: "image/gif",
            entityTag: "W/\"x\"",
            lastModified: "Mon, 01 Jan 2026 00:00:00 GMT",
            date: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
        #expect(cache.store(stored))
        // Another instance, as another process would.
        let found = try #require(DiskCache(folder: location).data(for: "http://h/ü?a=b"))
        #expect(found.data == stored.data)
        #expect(found.data.startIndex == 0)
        #expect(found.contentType == "image/gif")
        #expect(found.entityTag == "W/\"x\"")
        #expect(found.lastModified == "Mon, 01 Jan 2026 00:00:00 GMT")
        #expect(found.date == stored.date)
        #expect(cache.data(for: "http://h/other") == nil)
    }

    @Test func storingAgainReplaces() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a", byte: 1))
        cache.store(entry("a", size: 10, byte: 2))
        #expect(cache.data(for: "a")?.data == Data(repeating: 2, count: 10))
        #expect(cache.entries().count == 1)
    }

    @Test func removeContainsAndClear() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a"))
        cache.store(entry("b"))
        #expect(cache.contains("a"))
        cache.remove("a")
        #expect(!cache.contains("a"))
        #expect(cache.contains("b"))
        cache.removeAll()
        #expect(cache.entries().isEmpty)
    }

    @Test func folderAndFilesArePrivateAndTagged() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a"))
        let attributes = try FileManager.default.attributesOfItem(atPath: location.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        let name = BlobName(key: "a").fileName
        let file = try FileManager.default.attributesOfItem(atPath: location.appendingPathComponent(name).path)
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let tag = try String(contentsOf: location.appendingPathComponent("CACHEDIR.TAG"), encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
    }

    @Test func linksAreNotFollowed() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a"))
        let outside = folder.url.appendingPathComponent("outside")
        let path = location.appendingPathComponent(BlobName(key: "a").fileName)
        try FileManager.default.moveItem(at: path, to: outside)
        try FileManager.default.createSymbolicLink(at: path, withDestinationURL: outside)
        #expect(cache.data(for: "a") == nil)
        #expect(FileManager.default.fileExists(atPath: outside.path))
        #expect(cache.store(entry("a", byte: 9)))
        #expect(cache.data(for: "a")?.data.first == 9)
        #expect(try Data(contentsOf: outside).first == 7)
    }

    @Test func foreignFilesAreLeftAlone() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a"))
        let foreign = location.appendingPathComponent("letter.txt")
        try Data("mine".utf8).write(to: foreign)
        #expect(cache.entries().count == 1)
        cache.removeAll()
        #expect(FileManager.default.fileExists(atPath: foreign.path))
    }

    @Test func removesWhatIsTooOld() throws {
        let cache = DiskCache(folder: location, maximumAge: .days(7))
        cache.store(entry("old"))
        cache.store(entry("new"))
        try age("old", seconds: 8 * 86_400)
        cache.removeExpired()
        #expect(!cache.contains("old"))
        #expect(cache.contains("new"))
    }

    @Test func readingCountsAsAUseAndListingDoesNot() throws {
        let cache = DiskCache(folder: location)
        cache.store(entry("a"))
        try age("a", seconds: 5000)
        let before = try #require(cache.entries().first?.used)
        #expect(cache.entries().first?.used == before)
        _ = cache.data(for: "a")
        #expect(try #require(cache.entries().first?.used) > before)
    }

    @Test func aFolderThatCannotBeMadeCostsTheEntryOnly() throws {
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        let cache = DiskCache(folder: file.appendingPathComponent("below"))
        #expect(!cache.store(entry("a")))
        #expect(cache.data(for: "a") == nil)
        #expect(cache.entries().isEmpty)
        cache.removeAll()
    }

    @Test func manyWritersOfOneKeyLeaveOneOfTheirs() async throws {
        let cache = DiskCache(folder: location)
        await withTaskGroup(of: Void.self) { group in
            for byte in UInt8(0)..<16 {
                group.addTask { cache.store(CachedData(key: "a", data: Data(repeating: byte, count: 5000))) }
                group.addTask {
                    if let found = cache.data(for: "a")?.data { #expect(Set(found).count == 1 && found.count == 5000) }
                }
            }
        }
        #expect(cache.data(for: "a")?.data.count == 5000)
        #expect(try files().allSatisfy { !$0.hasSuffix(".tmp") })
    }

    /// Makes an entry look as if it had last been used that long ago.
    private func age(_ key: String, seconds: Double) throws {
        let path = location.appendingPathComponent(BlobName(key: key).fileName).path
        let moment = Int(Date().timeIntervalSince1970 - seconds)
        let times = [timespec(tv_sec: moment, tv_nsec: 0), timespec(tv_sec: moment, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }
}
