/// What a query of a cache has found.
public struct ImageCacheResult: Sendable {
    /// The image; nil when only bytes were found that no coder reads.
    public var image: WebImage?

    /// The bytes, when they were read.
    public var data: CachedData?

    /// The part of the cache that the image, or else the bytes, came from.
    public var type: ImageCacheTypes

    /// A find.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - data: the bytes, when they were read.
    ///   - type: the part of the cache that it came from.
    public init(image: WebImage?, data: CachedData? = nil, type: ImageCacheTypes) {
        self.image = image
        self.data = data
        self.type = type
    }
}
