import Foundation
import Magpie

/// What a large folder costs: a picture stored and read among few and among many, and the first hit in a folder that
/// nobody has open.
enum DiskGrowth {
    private static let (few, many) = (1000, 100_000)

    static let row = BenchmarkRow(
        name: "disk-growth",
        summary: "storing and reading a picture of 10 KB among \(many) others",
        unit: "µs",
        isLargerBetter: false,
        contenders: [
            .init(name: "among \(many)") { try storeAndRead($0, "many") },
            .init(name: "among \(few)") { try storeAndRead($0, "few") },
        ],
        reference: "among \(few)",
        missing: { nil },
        setUp: setUp
    )

    static let openingRow = BenchmarkRow(
        name: "disk-open",
        summary: "from opening a folder of \(many) pictures to the first hit",
        unit: "ms",
        isLargerBetter: false,
        contenders: [
            .init(name: "of \(many)") { try open($0, "many", few) },
            .init(name: "of \(few)") { try open($0, "few", few) },
        ],
        reference: "of \(few)",
        missing: { nil },
        setUp: setUp
    )

    private static let setUp: @Sendable () async throws -> BenchmarkRow.Setting = {
        try DiskFolder.setting { folder in
            folder.fill("few", count: few)
            folder.fill("many", count: many)
        }
    }

    private static func storeAndRead(_ context: BenchmarkRow.Context, _ name: String) throws -> Double {
        let cache = DiskFolder(context).cache(name)
        let data = DiskFolder.picture.prefix(10_000)
        let time = try DiskFolder.microseconds(500) { number in
            let key = "new-\(number)"
            guard cache.store(CachedData(key: key, data: data)), cache.data(for: key) != nil else {
                throw DiskFolder.Failed()
            }
        }
        for number in 0..<500 { cache.remove("new-\(number)") }
        cache.flush()
        return time
    }

    private static func open(_ context: BenchmarkRow.Context, _ name: String, _ count: Int) throws -> Double {
        let key = DiskFolder.key(Int.random(in: 0..<count))
        let start = ContinuousClock.now
        guard DiskFolder(context).cache(name).data(for: key) != nil else { throw DiskFolder.Failed() }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }
}
