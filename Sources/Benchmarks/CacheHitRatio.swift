import Magpie
import MagpieTestSupport

/// Recorded requests, replayed to caches of a part of all that is asked for: how many are answered.
enum CacheHitRatio {
    /// A trace could not be read.
    struct Missing: Error {}

    private static let parts = [2, 10]

    /// A row for each trace and size, and one for the mean over the traces.
    static let rows: [BenchmarkRow] =
        CacheTrace.names.flatMap { name in parts.map { row(of: name, percent: $0) } } + [means]

    private static func row(of name: String, percent: Int) -> BenchmarkRow {
        BenchmarkRow(
            name: "cache-hit-ratio/\(name)-\(percent)",
            summary: "part of the requests answered by a cache of \(percent) % of the trace \(name)",
            unit: "hit ratio",
            isLargerBetter: true,
            contenders: [
                .init(name: "Magpie") { _ in try replay(name, percent, hitsOfMagpie) },
                .init(name: "LRU") { _ in try replay(name, percent, hitsOfLRU) },
                .init(name: "OPT") { _ in try replay(name, percent, hitsOfOptimum) },
            ],
            reference: "LRU",
            missing: { missing },
            setUp: { .init(context: [:]) {} }
        )
    }

    private static let means = BenchmarkRow(
        name: "cache-hit-ratio/mean-way",
        summary: "mean part of the way from LRU to the optimum, over all traces",
        unit: "%",
        isLargerBetter: true,
        contenders: parts.map { percent in
            .init(name: "cache of \(percent) %") { _ in
                let ways = try CacheTrace.names.map { name in
                    let least = try replay(name, percent, hitsOfLRU)
                    let most = try replay(name, percent, hitsOfOptimum)
                    return (try replay(name, percent, hitsOfMagpie) - least) / (most - least)
                }
                return ways.reduce(0, +) / Double(ways.count) * 100
            }
        },
        reference: "",
        missing: { missing },
        setUp: { .init(context: [:]) {} }
    )

    private static var missing: String? {
        CacheTrace.arePresent ? nil : "the traces are not here; set MAGPIE_SHARED"
    }

    private static let traces = Dictionary(
        uniqueKeysWithValues: CacheTrace.names.compactMap { name in CacheTrace(named: name).map { (name, $0) } }
    )

    private static func replay(_ name: String, _ percent: Int, _ hits: (CacheTrace, Int) -> Int) throws -> Double {
        guard let trace = traces[name], !trace.requests.isEmpty else { throw Missing() }
        return Double(hits(trace, trace.footprint * percent / 100)) / Double(trace.requests.count)
    }

    private static func hitsOfMagpie(_ trace: CacheTrace, costLimit: Int) -> Int {
        var store = EvictingStore<Int, Int>(costLimit: costLimit, countLimit: .max)
        var hits = 0
        for request in trace.requests {
            let hash = request.key.hashValue
            if store.value(for: request.key, hash: hash) != nil {
                hits += 1
            } else if request.size <= costLimit {
                _ = store.insert(request.key, for: request.key, hash: hash, cost: request.size)
            }
        }
        return hits
    }

    private static func hitsOfLRU(_ trace: CacheTrace, costLimit: Int) -> Int {
        var cache = ListLRU<Int, Int>(costLimit: costLimit)
        var hits = 0
        for request in trace.requests {
            if cache.value(for: request.key) != nil {
                hits += 1
            } else {
                cache.insert(request.key, for: request.key, cost: request.size)
            }
        }
        return hits
    }

    /// Belady's: what is asked for again the latest leaves first.
    private static func hitsOfOptimum(_ trace: CacheTrace, costLimit: Int) -> Int {
        var next = [Int](repeating: .max, count: trace.requests.count)
        var later: [Int: Int] = [:]
        for (turn, request) in trace.requests.enumerated().reversed() {
            next[turn] = later[request.key] ?? .max
            later[request.key] = turn
        }
        var held: [Int: Int] = [:]
        var latest = LatestFirst()
        var cost = 0
        var hits = 0
        for (turn, request) in trace.requests.enumerated() {
            if held[request.key] != nil {
                hits += 1
            } else if request.size <= costLimit {
                cost += request.size
            } else {
                continue
            }
            held[request.key] = next[turn]
            latest.insert(.init(next: next[turn], key: request.key, size: request.size))
            // The new one may be the one that is asked for last.
            while cost > costLimit, let entry = latest.popFirst() {
                // Those that were asked for since stand in the heap again.
                guard held[entry.key] == entry.next else { continue }
                held[entry.key] = nil
                cost -= entry.size
            }
        }
        return hits
    }

    /// A heap of entries, that with the latest next request first.
    private struct LatestFirst {
        struct Entry {
            let next: Int
            let key: Int
            let size: Int
        }

        private var heap: [Entry] = []

        mutating func insert(_ entry: Entry) {
            heap.append(entry)
            var index = heap.count - 1
            while index > 0, heap[(index - 1) / 2].next < heap[index].next {
                heap.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func popFirst() -> Entry? {
            guard let first = heap.first, let last = heap.popLast() else { return nil }
            guard !heap.isEmpty else { return first }
            heap[0] = last
            var index = 0
            while let child = [2 * index + 1, 2 * index + 2].filter({ $0 < heap.count })
                .max(by: { heap[$0].next < heap[$1].next }), heap[child].next > heap[index].next
            {
                heap.swapAt(index, child)
                index = child
            }
            return first
        }
    }
}
