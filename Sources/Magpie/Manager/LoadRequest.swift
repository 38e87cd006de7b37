import Foundation
import MagpieHTTP
import MagpieImage

/// A load, spelled out: what is wanted, and what may be used to get it.
struct LoadRequest: Sendable {
    /// The bytes that a load needs and the ways to them; two loads that agree in it share them.
    struct Source: Hashable, Sendable {
        var url: URL
        var cacheKey: String
        var headerFields: HTTPFields
        var asksDisk: Bool
        var asksNetwork: Bool
        var keepsOnDisk: Bool
    }

    /// The image that a load makes of them; two loads that agree in it share it.
    struct ImageKey: Hashable, Sendable {
        var source: Source
        var image: ImageCacheKey
        var asksMemory: Bool
        var keepsInMemory: Bool
    }

    private(set) var key: ImageKey
    private(set) var transformers: [any ImageTransformer]

    init(url: URL, options: ImageOptions, context: ImageContext) {
        let asksCaches = !options.contains(.fromLoaderOnly)
        let cacheKey = context.cacheKey ?? url.absoluteString
        let source = Source(
            url: url,
            cacheKey: cacheKey,
            headerFields: context.headerFields,
            asksDisk: asksCaches && context.queryCacheTypes.contains(.disk),
            asksNetwork: !options.contains(.fromCacheOnly),
            keepsOnDisk: context.storeCacheTypes.contains(.disk)
        )
        transformers = context.transformers
        key = ImageKey(
            source: source,
            image: ImageCacheKey(
                source: cacheKey,
                thumbnail: context.thumbnail,
                transformerKey: Self.key(of: context.transformers),
                scale: context.scale.map { $0 >= 1 ? $0 : 1 } ?? Self.scale(of: cacheKey)
            ),
            asksMemory: asksCaches && context.queryCacheTypes.contains(.memory),
            keepsInMemory: context.storeCacheTypes.contains(.memory)
        )
    }

    /// The same load without its last transformer, and that transformer; nil when there is none.
    func beforeLastTransformer() -> (request: LoadRequest, last: any ImageTransformer)? {
        guard let last = transformers.last else { return nil }
        var request = self
        request.transformers.removeLast()
        request.key.image.transformerKey = Self.key(of: request.transformers)
        return (request, last)
    }

    private static func key(of transformers: [any ImageTransformer]) -> String {
        transformers.isEmpty ? "" : transformers.map(\.key).joined(separator: "-")
    }

    /// The scale that a name like `photo@2x.png` tells, also with the `@` percent-encoded; 1 for any other.
    ///
    /// Every load asks this, so it looks at each byte once.
    static func scale(of key: String) -> Double {
        guard key.utf8.count >= 8 else { return 1 }
        var key = key
        return key.withUTF8 { bytes in
            for index in bytes.indices.dropLast(3)
            where bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: "%") {
                var rest = bytes[index...]
                guard rest.starts(with: "@".utf8) || rest.starts(with: "%40".utf8) else { continue }
                rest = rest.dropFirst(rest.first == UInt8(ascii: "@") ? 1 : 3)
                if rest.starts(with: "2x.".utf8) { return 2 }
                if rest.starts(with: "3x.".utf8) { return 3 }
            }
            return 1
        }
    }
}
