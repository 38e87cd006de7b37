import Foundation
import Magpie
import MagpieImage
import Synchronization

/// Pictures that are in memory: what finding one costs on the caller's thread.
enum MemoryHit {
    private static let pictureCount = 1_000
    private static let hitCount = 1_000_000

    /// A picture that was stored was not found.
    struct Missing: Error {}

    static let row = BenchmarkRow(
        name: "memory-hit",
        summary: "finding one of \(pictureCount) pictures in memory, by its address",
        unit: "million/s",
        isLargerBetter: true,
        contenders: [
            .init(name: "ImageManager") { _ in
                let manager = ImageManager(cache: ImageCache(memory: try filledCache(), disk: nil))
                return try await rate { url in try await manager.image(from: url).width }
            },
            .init(name: "MemoryCache") { _ in
                let cache = try filledCache()
                return try await rate { url in
                    cache.image(for: ImageCacheKey(source: url.absoluteString))?.width ?? 0
                }
            },
            .init(name: "NSCache") { _ in
                let cache = NSCache<NSString, WebImage>()
                let image = try picture()
                for url in urls {
                    cache.setObject(image, forKey: NSString(string: url.absoluteString), cost: image.memoryCost)
                }
                nonisolated(unsafe) let shared = cache
                return try await rate { url in
                    shared.object(forKey: NSString(string: url.absoluteString))?.width ?? 0
                }
            },
        ],
        reference: "NSCache",
        missing: { nil }
    ) {
        .init(context: [:]) {}
    }

    private static let urls: [URL] = (0..<pictureCount).compactMap {
        URL(string: "https://images.example.org/albums/2026/summer/photo-\($0)-large.jpg")
    }

    private static func picture() throws -> WebImage {
        let bitmap = try BitmapBuffer(width: 8, height: 8, alpha: .opaque).finish()
        return WebImage(bitmap: bitmap, info: ImageInfo(format: .jpeg, width: 8, height: 8))
    }

    private static func filledCache() throws -> MemoryCache {
        let cache = MemoryCache()
        for url in urls { cache.store(try picture(), for: ImageCacheKey(source: url.absoluteString)) }
        return cache
    }

    /// Millions of hits a second.
    private static func rate(_ find: (URL) async throws -> Int) async throws -> Double {
        let urls = Self.urls
        let start = ContinuousClock.now
        for hit in 0..<hitCount {
            // A stride that is no divisor visits the pictures out of order.
            guard try await find(urls[hit &* 7919 % urls.count]) == 8 else { throw Missing() }
        }
        return Double(hitCount) / ((ContinuousClock.now - start) / .microseconds(1))
    }
}
