public import MagpieImage

/// A picture that was loaded: the pixels, and what its file said about it.
///
/// An image never changes and is shared freely between threads and caches; pixels are held once, however many hold the
/// image.
public final class WebImage: Sendable {
    /// The pixels, upright (the file's orientation is applied).
    public let bitmap: Bitmap

    /// What the file's header says: format, stored size, orientation, frames.
    ///
    /// It describes the file, not the bitmap, which may be a smaller version.
    public let info: ImageInfo

    /// Pixels per point, at least 1: 2 for `photo@2x.png` on a screen that doubles its pixels.
    public let scale: Double

    /// An image of pixels and what is known of them.
    ///
    /// - Parameters:
    ///   - bitmap: the pixels, upright.
    ///   - info: what the file's header says.
    ///   - scale: pixels per point; values below 1 count as 1.
    public init(bitmap: Bitmap, info: ImageInfo, scale: Double = 1) {
        self.bitmap = bitmap
        self.info = info
        self.scale = max(1, scale)
    }

    /// The format of the file that the image was read from.
    public var format: ImageFormat { info.format }

    /// The width of the bitmap in pixels.
    public var width: Int { bitmap.width }

    /// The height of the bitmap in pixels.
    public var height: Int { bitmap.height }

    /// What the image costs a memory cache, in bytes: those of its pixels.
    public var memoryCost: Int { bitmap.byteCount }
}
