import Foundation
import Glibc
import Magpie

/// A large cache that has to lose a tenth.
enum DiskTrim {
    private static let count = 100_000

    static let row = BenchmarkRow(
        name: "disk-trim",
        summary: "removing the oldest tenth of \(count) pictures",
        unit: "ms",
        isLargerBetter: false,
        contenders: [
            .init(name: "DiskCache") { context in
                let folder = DiskFolder(context)
                let cache = folder.cache()
                folder.fill(count: count)
                cache.lowWaterMark = 0.9
                cache.sizeLimit = .bytes(cache.totalSize - 1)
                let start = ContinuousClock.now
                // Whoever asks what there is has the cache within its limit before.
                let left = cache.totalCount
                let elapsed = ContinuousClock.now - start
                guard abs(left - count * 9 / 10) < 100 else { throw DiskFolder.Failed() }
                return elapsed / .milliseconds(1)
            },
            .init(name: "walk, sort, delete") { context in
                let folder = DiskFolder(context)
                try folder.makePlainFolder()
                for number in 0..<count where access(folder.plainPath(number), F_OK) != 0 {
                    try folder.writePlain(number, DiskFolder.picture.prefix(100))
                }
                let start = ContinuousClock.now
                try removeOldest(of: folder)
                return (ContinuousClock.now - start) / .milliseconds(1)
            },
        ],
        reference: "walk, sort, delete",
        missing: { nil }
    ) {
        try DiskFolder.setting { _ in }
    }

    /// The way of a cache that knows nothing but its folder (SDWebImage's, with Foundation).
    private static func removeOldest(of folder: DiskFolder) throws {
        let plain = folder.url.appendingPathComponent("plain")
        let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey, .isDirectoryKey]
        let files = try FileManager.default.contentsOfDirectory(at: plain, includingPropertiesForKeys: keys)
        var dated: [(url: URL, date: Date, size: Int)] = []
        for file in files {
            let values = try file.resourceValues(forKeys: Set(keys))
            guard values.isDirectory != true else { continue }
            dated.append((file, values.contentModificationDate ?? .distantPast, values.fileSize ?? 0))
        }
        let total = dated.reduce(0) { $0 + $1.size }
        var size = total
        for file in dated.sorted(by: { $0.date < $1.date }) {
            guard size > total / 10 * 9 else { break }
            try FileManager.default.removeItem(at: file.url)
            size -= file.size
        }
    }
}
