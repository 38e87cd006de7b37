import Foundation
import Magpie

/// Pictures that are on disk and in the system's memory: what reading one costs, checksum and note of its use included.
enum DiskRead {
    private static let count = 1000

    static let row = BenchmarkRow(
        name: "disk-read",
        summary: "reading one of \(count) pictures of 50 KB",
        unit: "µs",
        isLargerBetter: false,
        contenders: [
            .init(name: "DiskCache") { context in
                let cache = DiskFolder(context).cache()
                return try DiskFolder.microseconds(count) { number in
                    guard cache.data(for: DiskFolder.key(number)) != nil else { throw DiskFolder.Failed() }
                }
            },
            .init(name: "open and read") { context in
                let folder = DiskFolder(context)
                return try DiskFolder.microseconds(count) { number in
                    _ = try folder.readPlain(number, count: DiskFolder.picture.count)
                }
            },
        ],
        reference: "open and read",
        missing: { nil }
    ) {
        try DiskFolder.setting { folder in
            folder.fill(count: count, bytes: DiskFolder.picture.count)
            try folder.makePlainFolder()
            for number in 0..<count { try folder.writePlain(number) }
        }
    }
}
