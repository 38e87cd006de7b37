package import MagpieImage

extension ImageDecodeOptions {
    /// Asks for the size that a cache key names; nil changes nothing.
    package mutating func setThumbnail(_ thumbnail: ImageCacheKey.Thumbnail?) {
        guard let thumbnail else { return }
        thumbnailSize = thumbnail.size
        preservesAspectRatio = thumbnail.preservesAspectRatio
    }
}
