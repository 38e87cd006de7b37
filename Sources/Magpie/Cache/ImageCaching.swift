/// A cache of pictures, decoded and as bytes: `ImageCache`, several of them behind an `ImageCachesManager`, or one of
/// your own.
public protocol ImageCaching: AnyObject, Sendable {
    /// Looks for a picture; nil when there is none.
    ///
    /// - Parameters:
    ///   - key: the picture and its version.
    ///   - types: the parts that are asked, memory first.
    ///   - options: what is done differently from the usual.
    func query(
        _ key: ImageCacheKey,
        in types: ImageCacheTypes,
        options: ImageCacheOptions
    ) async -> ImageCacheResult?

    /// Keeps a picture; returns when it is where it was to be kept, or could not be.
    ///
    /// - Parameters:
    ///   - image: the decoded picture, for memory; and for the disk, encoded, when there are no bytes.
    ///   - data: the bytes as received, for the disk.
    ///   - key: the picture and its version.
    ///   - types: the parts that keep it.
    func store(_ image: WebImage?, data: CachedData?, for key: ImageCacheKey, in types: ImageCacheTypes) async

    /// Which part holds a picture, memory before disk; empty when none does.
    func contains(_ key: ImageCacheKey, in types: ImageCacheTypes) async -> ImageCacheTypes

    /// Forgets a picture.
    func remove(_ key: ImageCacheKey, from types: ImageCacheTypes) async

    /// Forgets all pictures.
    func clear(_ types: ImageCacheTypes) async
}

extension ImageCaching {
    /// Looks for a picture in memory and on disk; nil when there is none.
    public func query(_ key: ImageCacheKey) async -> ImageCacheResult? {
        await query(key, in: .all, options: [])
    }
}
