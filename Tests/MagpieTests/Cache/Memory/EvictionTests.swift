import MagpieTestSupport
import Testing

@testable import Magpie

@Suite struct EvictionTests {
    private typealias Store = EvictingStore<Int, Int>

    /// The part of the requests that a store of this size answers; checks what must hold at each step.
    private func hitRatio(_ trace: CacheTrace, costLimit: Int) -> Double {
        var store = Store(costLimit: costLimit, countLimit: .max)
        var hits = 0
        for request in trace.requests {
            let hash = request.key.hashValue
            if store.value(for: request.key, hash: hash) != nil {
                hits += 1
            } else if request.size <= costLimit {
                _ = store.insert(request.size, for: request.key, hash: hash, cost: request.size)
                guard store.cost <= costLimit, store.evictedCount < store.count else { return 0 }
            }
        }
        return Double(hits) / Double(trace.requests.count)
    }

    private func hitRatioOfLRU(_ trace: CacheTrace, costLimit: Int) -> Double {
        var turns: [Int: (turn: Int, size: Int)] = [:]
        var order: [Int] = []
        var oldest = 0
        var cost = 0
        var hits = 0
        for request in trace.requests {
            if turns.removeValue(forKey: request.key) != nil {
                hits += 1
            } else {
                cost += request.size
            }
            turns[request.key] = (order.count, request.size)
            order.append(request.key)
            while cost > costLimit {
                if let entry = turns[order[oldest]], entry.turn == oldest {
                    turns[order[oldest]] = nil
                    cost -= entry.size
                }
                oldest += 1
            }
        }
        return Double(hits) / Double(trace.requests.count)
    }

    private func trace(_ count: Int, _ key: (Int) -> Int) -> CacheTrace {
        CacheTrace(requests: (0..<count).map { CacheTrace.Request(key: key($0), size: 1) })
    }

    @Test(
        .enabled(if: CacheTrace.arePresent, "the traces are not here; set MAGPIE_SHARED"),
        arguments: [
            ("multi1", 0.0266, 0.4342), ("multi2", 0.0784, 0.3692), ("multi3", 0.0993, 0.3549),
        ]
    )
    func neverFallsBelowLRUOnRecordedTraces(name: String, small: Double, large: Double) throws {
        let trace = try #require(CacheTrace(named: name), "the trace \(name) is missing, or xz is")
        let footprint = Double(trace.footprint)
        #expect(hitRatio(trace, costLimit: Int(footprint * 0.02)) >= small - 0.005)
        #expect(hitRatio(trace, costLimit: Int(footprint * 0.1)) >= large - 0.005)
    }

    @Test func aLoopLargerThanTheCacheStillHits() {
        let loop = trace(20_000) { $0 % 1200 }
        #expect(hitRatioOfLRU(loop, costLimit: 1000) == 0)
        #expect(hitRatio(loop, costLimit: 1000) > 0.5)
    }

    @Test func aScanDrivesOutNothingThatIsInUse() {
        var random = SeededGenerator(seed: 5)
        let trace = trace(60_000) { $0 % 1000 < 500 ? Int.random(in: 0..<600, using: &random) : 1_000_000 + $0 }
        #expect(hitRatio(trace, costLimit: 700) > 0.45)
        #expect(hitRatioOfLRU(trace, costLimit: 700) < 0.25)
    }

    @Test func aWindowThatDriftsIsFollowed() {
        var random = SeededGenerator(seed: 6)
        let trace = trace(20_000) { $0 / 50 + Int.random(in: 0..<800, using: &random) }
        #expect(hitRatio(trace, costLimit: 1000) > hitRatioOfLRU(trace, costLimit: 1000) - 0.01)
    }

    @Test func smallOnesStayBeforeLargeOnesOfTheSameUse() {
        var random = SeededGenerator(seed: 7)
        // A hundred times as large, every other one.
        let requests = (0..<20_000).map { _ -> CacheTrace.Request in
            let key = Int.random(in: 0..<2000, using: &random)
            return CacheTrace.Request(key: key, size: key.isMultiple(of: 2) ? 1 : 100)
        }
        let trace = CacheTrace(requests: requests)
        let limit = trace.footprint / 10
        #expect(hitRatio(trace, costLimit: limit) > hitRatioOfLRU(trace, costLimit: limit) * 2)
    }

    @Test func theKeysRememberedAreFewerThanTheEntriesAfterRemovalsToo() {
        var random = SeededGenerator(seed: 8)
        var store = Store(costLimit: 200, countLimit: .max)
        for key in 0..<2000 {
            _ = store.insert(key, for: key, hash: key.hashValue, cost: 1)
            let gone = Int.random(in: 0...key, using: &random)
            _ = store.remove(gone, hash: gone.hashValue)
            #expect(store.evictedCount < max(1, store.count))
        }
    }

    @Test func agreesWithADictionary() {
        var random = SeededGenerator(seed: 3)
        var store = Store(costLimit: 400, countLimit: 12)
        var model: [Int: (value: Int, cost: Int)] = [:]
        for step in 0..<10_000 {
            // Few hashes for many keys: they collide all the time.
            let key = Int.random(in: 0..<60, using: &random)
            let hash = key % 7
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let cost = Int.random(in: 0...120, using: &random)
                for entry in store.insert(step, for: key, hash: hash, cost: cost) { model[entry.key] = nil }
                model[key] = (step, cost)
            case 5: #expect(store.remove(key, hash: hash)?.value == model.removeValue(forKey: key)?.value)
            case 6 where step % 50 == 0:
                for entry in store.removeAll(where: { $0.isMultiple(of: 3) }) { model[entry.key] = nil }
                #expect(model.allSatisfy { !$0.value.value.isMultiple(of: 3) })
            default: #expect(store.value(for: key, hash: hash) == model[key]?.value)
            }
            #expect(store.count == model.count && store.count <= 12)
            #expect(store.cost == model.values.reduce(0) { $0 + $1.cost } && store.cost <= 400)
        }
    }
}
