public import MagpieHTTP
public import MagpieImage

/// What a load is to make of the picture, and with which means.
public struct ImageContext: Sendable {
    /// The caches that a load may use.
    public typealias CacheTypes = ImageCacheTypes

    /// The size that the picture is decoded at; nil for its own.
    ///
    /// A picture is never enlarged.
    public var thumbnail: ImageCacheKey.Thumbnail?

    /// What is done to the decoded picture, in order.
    ///
    /// Each step is done once for all loads that share it and those before it, and its result is kept in memory.
    public var transformers: [any ImageTransformer]

    /// Pixels per point, at least 1; nil takes it from the address (`photo@2x.png` means 2).
    public var scale: Double?

    /// Fields of the request, in addition to the downloader's.
    ///
    /// Loads with different fields do not share a download.
    public var headerFields: HTTPFields = [:]

    /// The caches that are asked.
    public var queryCacheTypes: CacheTypes = .all

    /// The caches that keep the result: memory the image, disk the bytes as received.
    public var storeCacheTypes: CacheTypes = .all

    /// What the bytes and images are kept under in place of the address, for addresses that change while the picture
    /// does not (a signature, an expiry date).
    public var cacheKey: String?

    /// A context that differs from the usual in these; the other properties can be set after.
    public init(
        thumbnail: ImageCacheKey.Thumbnail? = nil,
        transformers: [any ImageTransformer] = [],
        scale: Double? = nil
    ) {
        self.thumbnail = thumbnail
        self.transformers = transformers
        self.scale = scale
    }

    /// A context for a picture that is decoded at the size it is shown.
    ///
    /// - Parameters:
    ///   - width: the width of the box in pixels.
    ///   - height: the height of the box in pixels.
    ///   - preservesAspectRatio: whether the picture fits inside the box in its own proportions; otherwise it fills
    ///     the box, stretched.
    public static func thumbnail(width: Int, height: Int, preservesAspectRatio: Bool = true) -> ImageContext {
        let size = PixelSize(width: width, height: height)
        return ImageContext(thumbnail: .init(size: size, preservesAspectRatio: preservesAspectRatio))
    }
}
