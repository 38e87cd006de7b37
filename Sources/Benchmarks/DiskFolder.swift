import Foundation
import Glibc
import Magpie
import MagpieTestSupport

/// What the rows about the disk cache work on: a cache of pictures, and the same bytes in plain files.
struct DiskFolder {
    /// The plain file system did not do what it was asked to.
    struct Failed: Error {}

    /// 50 KB that no file system makes smaller.
    static let picture: Data = {
        var generator = SeededGenerator(seed: 50)
        return Data((0..<50_000).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
    }()

    let url: URL

    init(_ context: BenchmarkRow.Context) {
        url = URL(fileURLWithPath: context["folder"] ?? "/nonexistent")
    }

    static func key(_ number: Int) -> String { "https://images.example.org/albums/2026/photo-\(number).jpg" }

    func cache(_ name: String = "cache") -> DiskCache {
        DiskCache(folder: url.appendingPathComponent(name), maximumAge: nil)
    }

    /// Fills a cache with small pictures.
    func fill(_ name: String = "cache", count: Int, bytes: Int = 100) {
        let cache = cache(name)
        let data = Self.picture.prefix(bytes)
        for number in 0..<count { cache.store(CachedData(key: Self.key(number), data: data)) }
        cache.flush()
    }

    // MARK: - Plain files

    func plainPath(_ number: Int) -> String { url.path + "/plain/\(number)" }

    func makePlainFolder() throws {
        try FileManager.default.createDirectory(atPath: url.path + "/plain", withIntermediateDirectories: true)
    }

    /// Writes a file beside its place and moves it there.
    func writePlain(_ number: Int, _ data: Data = Self.picture) throws {
        let temporary = plainPath(number) + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failed() }
        let wrote = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard wrote == data.count, rename(temporary, plainPath(number)) == 0 else { throw Failed() }
    }

    /// Opens and reads a file, in memory that nobody cleared before.
    func readPlain(_ number: Int, count: Int) throws -> Data {
        let descriptor = open(plainPath(number), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, let buffer = malloc(count), read(descriptor, buffer, count) == count else {
            throw Failed()
        }
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }

    /// A folder that is gone when the row is done, with what `fill` puts into it.
    static func setting(_ fill: (DiskFolder) throws -> Void) throws -> BenchmarkRow.Setting {
        let folder = try TemporaryFolder()
        let context = ["folder": folder.url.path]
        try fill(DiskFolder(context))
        return .init(context: context) { withExtendedLifetime(folder) {} }
    }

    /// Microseconds that each of `count` calls takes.
    static func microseconds(_ count: Int, _ work: (Int) throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        for number in 0..<count { try work(number) }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(count)
    }
}
