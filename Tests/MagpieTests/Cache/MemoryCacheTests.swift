import Magpie
import MagpieImage
import MagpieTestSupport
import Testing

@Suite struct MemoryCacheTests {
    private func key(_ name: String) -> ImageCacheKey { ImageCacheKey(source: name) }

    @Test func keepsAndForgets() throws {
        let cache = MemoryCache()
        let image = try TestPicture.image()
        cache.store(image, for: key("a"))
        #expect(cache.image(for: key("a")) === image)
        #expect(cache.image(for: key("b")) == nil)
        #expect(cache.totalCost == 400)
        cache.remove(for: key("a"))
        #expect(cache.image(for: key("a")) == nil)
        #expect(cache.totalCost == 0)
    }

    @Test func theLeastRecentlyUsedLeavesFirst() throws {
        let cache = MemoryCache(costLimit: .bytes(1200))
        for name in ["a", "b", "c"] { cache.store(try TestPicture.image(), for: key(name)) }
        _ = cache.image(for: key("a"))
        cache.store(try TestPicture.image(), for: key("d"))
        #expect(cache.image(for: key("b")) == nil)
        for name in ["a", "c", "d"] { #expect(cache.image(for: key(name)) != nil) }
        #expect(cache.totalCost == 1200)
    }

    @Test func anImageTooLargeForTheCacheIsNotKeptAndDropsNoOther() throws {
        let cache = MemoryCache(costLimit: .bytes(1000))
        cache.store(try TestPicture.image(), for: key("small"))
        cache.store(try TestPicture.image(width: 100, height: 100), for: key("large"))
        #expect(cache.image(for: key("small")) != nil)
        #expect(cache.image(for: key("large")) == nil)
        #expect(cache.count == 1)
    }

    @Test func replacingCountsTheNewCostOnly() throws {
        let cache = MemoryCache()
        cache.store(try TestPicture.image(width: 100, height: 10), for: key("a"))
        cache.store(try TestPicture.image(), for: key("a"))
        #expect(cache.count == 1)
        #expect(cache.totalCost == 400)
    }

    @Test func limitsActAtOnce() throws {
        let cache = MemoryCache()
        for number in 0..<10 { cache.store(try TestPicture.image(), for: key("\(number)")) }
        cache.countLimit = 5
        #expect(cache.count == 5)
        cache.costLimit = .bytes(800)
        #expect(cache.count == 2)
        #expect(cache.image(for: key("9")) != nil)
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func whatLeavesIsFreed() throws {
        let cache = MemoryCache(costLimit: .bytes(400))
        weak var first: WebImage?
        do {
            let image = try TestPicture.image()
            first = image
            cache.store(image, for: key("a"))
        }
        #expect(first != nil)
        cache.store(try TestPicture.image(), for: key("b"))
        #expect(first == nil)
    }

    @Test func agreesWithASimpleModel() throws {
        var random = SeededGenerator(seed: 3)
        let cache = MemoryCache(costLimit: .bytes(4 * 100), countLimit: 12)
        var model: [(name: String, cost: Int)] = []
        for _ in 0..<5000 {
            let name = "\(Int.random(in: 0..<30, using: &random))"
            if Bool.random(using: &random) {
                let width = Int.random(in: 1...30, using: &random)
                cache.store(try TestPicture.image(width: width, height: 1), for: key(name))
                model.removeAll { $0.name == name }
                model.append((name, width * 4))
                while model.count > 12 || model.reduce(0, { $0 + $1.cost }) > 400 { model.removeFirst() }
            } else {
                let isThere = model.contains { $0.name == name }
                #expect((cache.image(for: key(name)) != nil) == isThere)
                if let index = model.firstIndex(where: { $0.name == name }) { model.append(model.remove(at: index)) }
            }
            #expect(cache.count == model.count)
            #expect(cache.totalCost == model.reduce(0) { $0 + $1.cost })
        }
    }
}
