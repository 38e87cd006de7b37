import Foundation
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

    @Test func versionsOfOnePictureAreKeptApart() throws {
        let cache = MemoryCache()
        let size = PixelSize(width: 10, height: 10)
        let keys = [
            key("a"), ImageCacheKey(source: "a", scale: 2), ImageCacheKey(source: "a", transformerKey: "round"),
            ImageCacheKey(source: "a", thumbnail: .init(size: size)),
        ]
        let images = try keys.map { _ in try TestPicture.image() }
        for (key, image) in zip(keys, images) { cache.store(image, for: key) }
        for (key, image) in zip(keys, images) { #expect(cache.image(for: key) === image) }
    }

    @Test func whatIsUsedStays() throws {
        let cache = MemoryCache(costLimit: .bytes(400 * 10))
        for number in 0..<10 { cache.store(try TestPicture.image(), for: key("\(number)")) }
        for _ in 0..<2 { _ = cache.image(for: key("0")) }
        for number in 10..<50 { cache.store(try TestPicture.image(), for: key("\(number)")) }
        #expect(cache.image(for: key("0")) != nil)
        #expect(cache.image(for: key("1")) == nil)
        #expect(cache.totalCost == 4000)
    }

    @Test func anImageTooLargeForTheCacheIsNotKeptAndDropsNoOther() throws {
        let cache = MemoryCache(costLimit: .bytes(1000))
        cache.store(try TestPicture.image(), for: key("small"))
        cache.store(try TestPicture.image(width: 100, height: 100), for: key("large"))
        #expect(cache.image(for: key("small")) != nil)
        #expect(cache.image(for: key("large")) == nil)
        #expect(cache.count == 1)
    }

    @Test func oneImageTakesHalfOfTheCacheAtMostUnlessToldOtherwise() throws {
        let cache = MemoryCache(costLimit: .bytes(1000))
        cache.store(try TestPicture.image(width: 15), for: key("a"))
        #expect(cache.count == 0)
        cache.entryCostLimit = .bytes(600)
        cache.store(try TestPicture.image(width: 15), for: key("a"))
        #expect(cache.count == 1)
        cache.entryCostLimit = .bytes(100)
        cache.store(try TestPicture.image(), for: key("a"))
        #expect(cache.image(for: key("a")) == nil)
    }

    @Test func replacingCountsTheNewCostOnly() throws {
        let cache = MemoryCache()
        cache.store(try TestPicture.image(width: 100, height: 10), for: key("a"))
        cache.store(try TestPicture.image(), for: key("a"))
        #expect(cache.count == 1)
        #expect(cache.totalCost == 400)
        #expect(cache.statistics.evictions == 0)
    }

    @Test func limitsActAtOnce() throws {
        let cache = MemoryCache()
        for number in 0..<10 { cache.store(try TestPicture.image(), for: key("\(number)")) }
        cache.countLimit = 5
        #expect(cache.count == 5)
        cache.costLimit = .bytes(800)
        #expect(cache.count == 2)
        #expect(cache.image(for: key("9")) != nil)
        cache.trim(toCost: .bytes(500))
        #expect(cache.count == 1)
        cache.countLimit = -1
        #expect(cache.count == 0)
        cache.store(try TestPicture.image(), for: key("a"))
        #expect(cache.count == 0)
    }

    @Test func whatLeavesIsFreed() throws {
        let cache = MemoryCache(countLimit: 1)
        weak var first: WebImage?
        do {
            let image = try TestPicture.image()
            first = image
            cache.store(image, for: key("a"))
        }
        #expect(first != nil)
        cache.store(try TestPicture.image(), for: key("b"))
        #expect(first == nil)
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func anImageStillShownIsFoundAgainAndKept() throws {
        let cache = MemoryCache(countLimit: 1)
        let shown = try TestPicture.image()
        cache.store(shown, for: key("shown"))
        cache.store(try TestPicture.image(), for: key("other"))
        #expect(cache.count == 1)
        #expect(cache.image(for: key("shown")) === shown)
        #expect(cache.statistics.weakHits == 1)
        #expect(cache.image(for: key("shown")) === shown)
        #expect(cache.statistics.weakHits == 1)
        #expect(cache.image(for: key("other")) == nil)
    }

    @Test func anImageTooLargeIsFoundWhileItIsShown() throws {
        let cache = MemoryCache(costLimit: .bytes(100))
        var shown: WebImage? = try TestPicture.image()
        if let shown { cache.store(shown, for: key("a")) }
        #expect(cache.image(for: key("a")) === shown)
        #expect(cache.count == 0)
        shown = nil
        #expect(cache.image(for: key("a")) == nil)
    }

    @Test func imagesInUseAreForgottenWhenAskedTo() throws {
        let cache = MemoryCache(countLimit: 1)
        let shown = try (0..<3).map { _ in try TestPicture.image() }
        for (number, image) in shown.enumerated() { cache.store(image, for: key("\(number)")) }
        cache.remove(for: key("0"))
        #expect(cache.image(for: key("0")) == nil)
        cache.removeAll()
        #expect(cache.image(for: key("1")) == nil)
        cache.findsImagesInUse = false
        cache.store(shown[0], for: key("0"))
        cache.store(shown[1], for: key("1"))
        #expect(cache.image(for: key("0")) == nil)
    }

    @Test func timeToLiveEndsAndChangesAtOnce() throws {
        let clock = TestClock()
        let cache = MemoryCache(timeToLive: .seconds(10), clock: clock)
        let shown = try TestPicture.image()
        cache.store(shown, for: key("a"))
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: key("a")) === shown)
        clock.advance(by: .seconds(1))
        #expect(cache.image(for: key("a")) == nil)
        #expect(cache.count == 0)
        cache.store(shown, for: key("b"))
        clock.advance(by: .seconds(5))
        cache.timeToLive = .seconds(5)
        #expect(cache.image(for: key("b")) == nil)
        cache.store(shown, for: key("c"))
        clock.advance(by: .seconds(5))
        cache.removeExpired()
        #expect(cache.count == 0)
        #expect(cache.statistics.expirations == 3)
    }

    @Test func anImageInUseIsNotFoundAfterItsTimeEither() throws {
        let clock = TestClock()
        let cache = MemoryCache(countLimit: 1, timeToLive: .seconds(10), clock: clock)
        let shown = try TestPicture.image()
        cache.store(shown, for: key("a"))
        clock.advance(by: .seconds(6))
        cache.store(try TestPicture.image(), for: key("b"))
        #expect(cache.image(for: key("a")) === shown)
        clock.advance(by: .seconds(6))
        #expect(cache.image(for: key("a")) == nil)
    }

    @Test func countsWhatItDoes() throws {
        let cache = MemoryCache(countLimit: 2)
        for number in 0..<3 { cache.store(try TestPicture.image(), for: key("\(number)")) }
        for number in 0..<3 { _ = cache.image(for: key("\(number)")) }
        let statistics = cache.statistics
        #expect(statistics.count == 2 && statistics.cost == 800)
        #expect(statistics.hits == 2 && statistics.misses == 1 && statistics.evictions == 1)
        #expect(abs(statistics.hitRatio - 2 / 3) < 0.001)
        #expect(MemoryCache().statistics.hitRatio == 0)
    }

    @Test func givesMemoryBack() throws {
        let cache = MemoryCache()
        let shown = try (0..<8).map { _ in try TestPicture.image() }
        for (number, image) in shown.enumerated() { cache.store(image, for: key("\(number)")) }
        cache.respond(to: MemoryPressureLevel.normal)
        cache.respond(to: ApplicationEvent.willTerminate)
        #expect(cache.count == 8)
        cache.respond(to: MemoryPressureLevel.warning)
        #expect(cache.count == 4)
        cache.respond(to: ApplicationEvent.didEnterBackground)
        #expect(cache.count == 2)
        cache.respond(to: ApplicationEvent.didReceiveMemoryWarning)
        #expect(cache.count == 0)
        #expect(cache.image(for: key("0")) === shown[0])
    }

    @Test func holdsUnderManyThreads() async throws {
        let cache = MemoryCache(costLimit: .bytes(400 * 50))
        let images = try (0..<100).map { _ in try TestPicture.image() }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for step in 0..<3000 {
                        let number = Int.random(in: 0..<images.count, using: &random)
                        let key = ImageCacheKey(source: "\(number)")
                        switch step % 50 {
                        case 0: cache.remove(for: key)
                        case 1: cache.costLimit = .bytes(400 * Int.random(in: 20...60, using: &random))
                        case 2..<15: cache.store(images[number], for: key)
                        default:
                            if let found = cache.image(for: key) { #expect(found === images[number]) }
                        }
                    }
                }
            }
        }
        let statistics = cache.statistics
        #expect(statistics.hits + statistics.weakHits + statistics.misses == 4 * 60 * 35)
        #expect(statistics.cost == statistics.count * 400)
        #expect(cache.totalCost <= cache.costLimit.bytes)
    }
}
