import Foundation
import Magpie
import MagpieConcurrency
import MagpieImage

/// Pictures that are in memory, found by one or two threads that do nothing else, in small and in large caches.
enum MemoryCacheHits {
    /// A picture that was stored was not found.
    struct Missing: Error {}

    private static let hitCount = 400_000
    /// Only so many pictures are asked for, however many are held: the processor's own caches hold them all.
    private static let askedCount = 1_000

    /// A row for each number of threads and of pictures.
    static let rows = [(1, 1_000), (2, 1_000), (1, 1_000_000), (2, 1_000_000)].map { row(threads: $0, pictures: $1) }

    private static func row(threads: Int, pictures: Int) -> BenchmarkRow {
        BenchmarkRow(
            name: "memory-cache-hits/\(threads)-\(pictures)",
            summary: "hits by \(threads) thread\(threads == 1 ? "" : "s") in a cache of \(pictures) pictures",
            unit: "million/s",
            isLargerBetter: true,
            contenders: [
                .init(name: "MemoryCache") { _ in
                    try rate(threads: threads, in: try MemoryCacheHits.magpie.filled(pictures))
                },
                .init(name: "mutex + list LRU") { _ in
                    try rate(threads: threads, in: try MemoryCacheHits.list.filled(pictures))
                },
                .init(name: "NSCache") { _ in
                    try rate(threads: threads, in: try MemoryCacheHits.foundation.filled(pictures))
                },
            ],
            reference: "mutex + list LRU",
            missing: { nil },
            setUp: { .init(context: [:]) {} }
        )
    }

    /// Finds the picture under a key.
    private typealias Finding = @Sendable (ImageCacheKey) -> WebImage?

    private static func key(_ number: Int) -> ImageCacheKey {
        ImageCacheKey(source: "https://images.example.org/albums/2026/summer/photo-\(number)-large.jpg")
    }

    /// Millions of hits a second, of all threads together.
    private static func rate(threads: Int, in cache: (find: Finding, asked: [ImageCacheKey])) throws -> Double {
        let isComplete = Lock(true)
        let group = DispatchGroup()
        let start = ContinuousClock.now
        for thread in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                var width = 0
                for hit in 0..<hitCount {
                    // A stride that is no divisor visits the pictures out of order, and the threads different ones.
                    let key = cache.asked[(hit &* 7919 &+ thread * 500) % cache.asked.count]
                    width += cache.find(key)?.width ?? 0
                }
                if width != hitCount * 8 { isComplete.withLock { $0 = false } }
                group.leave()
            }
        }
        group.wait()
        let time = (ContinuousClock.now - start) / .microseconds(1)
        guard isComplete.withLock({ $0 }) else { throw Missing() }
        return Double(threads * hitCount) / time
    }

    // MARK: - The caches

    /// Caches of one kind, kept while the numbers of pictures stay the same, as filling them takes long.
    private final class Kind: Sendable {
        private let make: @Sendable ([ImageCacheKey], [WebImage]) -> Finding
        private let kept = Lock<(count: Int, find: Finding)?>(nil)

        init(_ make: @escaping @Sendable ([ImageCacheKey], [WebImage]) -> Finding) {
            self.make = make
        }

        func filled(_ count: Int) throws -> (find: Finding, asked: [ImageCacheKey]) {
            let asked = (0..<askedCount).map { key($0 * (count / askedCount)) }
            if let kept = kept.withLock({ $0 }), kept.count == count { return (kept.find, asked) }
            let images = try (0..<askedCount).map { _ in
                let bitmap = try BitmapBuffer(width: 8, height: 8, alpha: .opaque).finish()
                return WebImage(bitmap: bitmap, info: ImageInfo(format: .jpeg, width: 8, height: 8))
            }
            let find = make((0..<count).map(key), images)
            kept.withLock { $0 = (count, find) }
            return (find, asked)
        }
    }

    private static let magpie = Kind { keys, images in
        let cache = MemoryCache(costLimit: .unlimited)
        for (number, key) in keys.enumerated() { cache.store(images[number % images.count], for: key) }
        return { cache.image(for: $0) }
    }

    private static let list = Kind { keys, images in
        var list = ListLRU<ImageCacheKey, WebImage>(costLimit: .max)
        for (number, key) in keys.enumerated() {
            let image = images[number % images.count]
            list.insert(image, for: key, cost: image.memoryCost)
        }
        let cache = Locked(list)
        return { key in cache.list.withLock { $0.value(for: key) } }
    }

    private final class Locked: Sendable {
        let list: Lock<ListLRU<ImageCacheKey, WebImage>>

        init(_ list: sending ListLRU<ImageCacheKey, WebImage>) {
            self.list = Lock(list)
        }
    }

    private static let foundation = Kind { keys, images in
        let cache = NSCache<NSString, WebImage>()
        for (number, key) in keys.enumerated() {
            let image = images[number % images.count]
            cache.setObject(image, forKey: NSString(string: key.source), cost: image.memoryCost)
        }
        nonisolated(unsafe) let shared = cache
        return { shared.object(forKey: NSString(string: $0.source)) }
    }
}
