import Foundation
import Magpie

/// New pictures: what it costs the caller to have one in its place, whole.
enum DiskStore {
    private static let count = 1000

    static let row = BenchmarkRow(
        name: "disk-store",
        summary: "storing a picture of 50 KB",
        unit: "µs",
        isLargerBetter: false,
        contenders: [
            .init(name: "DiskCache") { context in
                let cache = DiskFolder(context).cache()
                cache.removeAll()
                return try DiskFolder.microseconds(count) { number in
                    let data = CachedData(key: DiskFolder.key(number), data: DiskFolder.picture)
                    guard cache.store(data) else { throw DiskFolder.Failed() }
                }
            },
            .init(name: "write and rename") { context in
                let folder = DiskFolder(context)
                try? FileManager.default.removeItem(atPath: folder.url.path + "/plain")
                try folder.makePlainFolder()
                return try DiskFolder.microseconds(count) { try folder.writePlain($0) }
            },
        ],
        reference: "write and rename",
        missing: { nil }
    ) {
        try DiskFolder.setting { _ in }
    }
}
