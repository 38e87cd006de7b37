import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite(.timeLimit(.minutes(1))) struct ImageCachesManagerTests {
    /// A cache that answers when its gate is open, and notes what it was asked to do.
    private final class StubCache: ImageCaching {
        let gate = TestGate()
        let calls = Recorder<String>()
        let answer: ImageCacheTypes
        private let image: WebImage?

        init(_ answer: ImageCacheTypes, isOpen: Bool = true) throws {
            self.answer = answer
            image = answer.isEmpty ? nil : try TestPicture.image()
            if isOpen { gate.open() }
        }

        func query(_ key: ImageCacheKey, in types: ImageCacheTypes, options: ImageCacheOptions) async
            -> ImageCacheResult?
        {
            calls.record("query")
            await gate.pass()
            return image.map { ImageCacheResult(image: $0, type: answer) }
        }

        func store(_ image: WebImage?, data: CachedData?, for key: ImageCacheKey, in types: ImageCacheTypes) async {
            calls.record("store")
        }

        func contains(_ key: ImageCacheKey, in types: ImageCacheTypes) async -> ImageCacheTypes {
            calls.record("contains")
            await gate.pass()
            return answer
        }

        func remove(_ key: ImageCacheKey, from types: ImageCacheTypes) async { calls.record("remove") }
        func clear(_ types: ImageCacheTypes) async { calls.record("clear") }
    }

    private let key = ImageCacheKey(source: "a")

    @Test func theLastAddedIsAskedFirstAndTheNextWhereItHasNothing() async throws {
        let (low, high) = (try StubCache(.memory), try StubCache(.disk))
        let manager = ImageCachesManager([low])
        manager.add(high)
        manager.add(high)
        #expect(manager.caches.count == 2)
        #expect(await manager.query(key)?.type == .disk)
        #expect(low.calls.elements.isEmpty)
        let empty = try StubCache([])
        manager.add(empty)
        #expect(await manager.query(key)?.type == .disk)
        #expect(empty.calls.elements == ["query"])
        manager.remove(high)
        #expect(await manager.contains(key) == .memory)
    }

    @Test func atOnceTheFirstThatKnowsAnswers() async throws {
        let (low, high) = (try StubCache(.memory), try StubCache(.disk, isOpen: false))
        var policies = ImageCachesManager.Policies()
        policies.query = .concurrent
        policies.contains = .concurrent
        let manager = ImageCachesManager([low, high], policies: policies)
        async let found = manager.contains(key)
        _ = await high.calls.elements(1)
        _ = await low.calls.elements(1)
        high.gate.open()
        // Both know; the answer is one of theirs.
        #expect([.memory, .disk].contains(await found))
        #expect(await manager.query(key) != nil)
    }

    @Test func atOnceNobodyWaitsForTheSlowest() async throws {
        let (quick, slow) = (try StubCache(.memory), try StubCache(.disk, isOpen: false))
        var policies = ImageCachesManager.Policies()
        policies.query = .concurrent
        policies.contains = .concurrent
        let manager = ImageCachesManager([quick, slow], policies: policies)
        #expect(await manager.contains(key) == .memory)
        #expect(await manager.query(key)?.type == .memory)
        slow.gate.open()
    }

    @Test(arguments: [ImageCachesManager.Policy.highestOnly, .lowestOnly, .serial, .concurrent])
    func policiesSayWhichCachesAct(policy: ImageCachesManager.Policy) async throws {
        let (low, high) = (try StubCache([]), try StubCache([]))
        let manager = ImageCachesManager([low, high])
        manager.policies.store = policy
        manager.policies.remove = policy
        manager.policies.clear = policy
        manager.policies.query = policy
        manager.policies.contains = policy
        await manager.store(nil, for: key)
        await manager.remove(key)
        await manager.clear()
        #expect(await manager.query(key) == nil)
        #expect(await manager.contains(key) == [])
        let all = ["store", "remove", "clear", "query", "contains"]
        #expect(low.calls.elements == (policy == .highestOnly ? [] : all))
        #expect(high.calls.elements == (policy == .lowestOnly ? [] : all))
    }

    @Test func withoutCachesEveryCallReturns() async {
        let manager = ImageCachesManager([])
        #expect(await manager.query(key) == nil)
        #expect(await manager.contains(key) == [])
        await manager.store(nil, for: key)
        await manager.remove(key)
        await manager.clear()
    }
}
