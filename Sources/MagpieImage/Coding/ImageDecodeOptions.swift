/// How a picture is to be decoded.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// What the alpha bytes of a picture that has any shall mean.
    public enum Alpha: Sendable, Hashable {
        /// Colours multiplied by alpha: ready to be shown.
        case premultiplied
        /// Colours as the file stores them.
        case straight
    }

    /// The box in pixels that the picture, as displayed, is scaled down into while it is decoded; nil for full size.
    ///
    /// A picture is never enlarged as a whole: one that fits the box keeps its size. Sides are rounded half away from zero
    /// and are at least 1. The box is held against the size *after* the EXIF orientation.
    public var thumbnailSize: PixelSize?
    /// false scales to exactly ``thumbnailSize``, whatever the ratio (of a picture that does not fit the box already).
    public var preservesAspectRatio: Bool
    /// How much the picture may ask for.
    public var limits: ImageLimits
    /// Premultiplied unless said otherwise; an opaque picture is ``AlphaMode/opaque`` in either case.
    public var alpha: Alpha
    /// true gives what can be shown of a damaged or cut-off file, marked ``DecodedImage/isPartial``, instead of an error.
    public var allowsPartial: Bool

    /// Makes options; with none given, the whole picture, premultiplied, under the standard limits.
    public init(
        thumbnailSize: PixelSize? = nil,
        preservesAspectRatio: Bool = true,
        limits: ImageLimits = .standard,
        alpha: Alpha = .premultiplied,
        allowsPartial: Bool = false
    ) {
        self.thumbnailSize = thumbnailSize
        self.preservesAspectRatio = preservesAspectRatio
        self.limits = limits
        self.alpha = alpha
        self.allowsPartial = allowsPartial
    }

    /// What the alpha bytes of the result mean.
    func alphaMode(of info: ImageInfo) -> AlphaMode {
        guard info.hasAlpha else { return .opaque }
        return alpha == .straight ? .straight : .premultiplied
    }

    /// The size that a picture of a stored size and an orientation is to be decoded at, before it is turned.
    func storedTarget(for stored: PixelSize, orientation: ImageOrientation) -> PixelSize {
        guard let thumbnailSize else { return stored }
        let displayed = orientation.displayed(stored)
        return orientation.displayed(
            displayed.fitted(into: thumbnailSize, preservesAspectRatio: preservesAspectRatio)
        )
    }
}
