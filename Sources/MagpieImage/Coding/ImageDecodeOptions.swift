/// How a picture is to be decoded.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// What the alpha of a picture that has any shall mean.
    public enum Alpha: Sendable, Hashable {
        /// Colours multiplied by alpha: ready to be shown.
        case premultiplied
        /// Colours as the file stores them.
        case straight
    }

    /// What becomes of colours that a file means otherwise than sRGB.
    public enum ColorConversion: Sendable, Hashable {
        /// They are converted by the file's ICC profile, or by what else it says of its colours; untagged ones are sRGB.
        case sRGB
        /// The numbers stay as the file stores them, and ``Bitmap/colorSpace`` says what they mean.
        case asStored
    }

    /// What becomes of a picture of high dynamic range (PQ or HLG, ITU-R BT.2100).
    public enum DynamicRange: Sendable, Hashable {
        /// It is converted to what an ordinary display shows, also with ``ColorConversion/asStored``.
        case toneMapped
        /// Its numbers are kept, as ``PixelFormat/rgba16``, and ``Bitmap/colorSpace`` says what they mean.
        case kept
    }

    /// The box in pixels that the picture, as displayed, is scaled down into while it is decoded; nil for full size.
    ///
    /// A picture is never enlarged as a whole: one that fits the box keeps its size. Sides are rounded half away from zero
    /// and are at least 1. The box is held against the size *after* the EXIF orientation.
    public var thumbnailSize: PixelSize?
    /// false scales to exactly ``thumbnailSize``, whatever the ratio (of a picture that does not fit the box already).
    public var preservesAspectRatio: Bool
    /// The most bytes that the pixels may take, at 4 a pixel and of all frames together where frames are asked for; nil for
    /// no bound.
    ///
    /// What is larger, after ``thumbnailSize``, is scaled down further, with its ratio kept: sides are rounded down and are
    /// at least 1.
    public var byteLimit: Int?
    /// How much the picture may ask for.
    public var limits: ImageLimits
    /// Premultiplied unless said otherwise; an opaque picture is ``AlphaMode/opaque`` in either case.
    public var alpha: Alpha
    /// How pixels shall lie in memory.
    ///
    /// ``PixelFormat/rgba16`` keeps what a file has beyond 8 bits a channel.
    public var pixelFormat: PixelFormat
    /// Converted to sRGB unless said otherwise.
    public var colorConversion: ColorConversion
    /// Tone-mapped unless said otherwise.
    public var dynamicRange: DynamicRange
    /// Pixels per point of the result, see ``DecodedImage/scale``; values below 1 count as 1.
    public var scale: Double
    /// The format to read the bytes as, for one that its content does not tell.
    ///
    /// Where that fails they are read as what they look like.
    public var typeHint: ImageFormat?
    /// true gives an animation as a still of its first frame, also where frames are asked for.
    public var firstFrameOnly: Bool
    /// true gives what can be shown of a damaged or cut-off file, marked ``DecodedImage/isPartial``, instead of an error.
    public var allowsPartial: Bool

    /// Makes options; with none given, the whole picture, premultiplied, in sRGB of 8 bits, under the standard limits.
    public init(
        thumbnailSize: PixelSize? = nil,
        preservesAspectRatio: Bool = true,
        byteLimit: Int? = nil,
        limits: ImageLimits = .standard,
        alpha: Alpha = .premultiplied,
        pixelFormat: PixelFormat = .rgba8,
        colorConversion: ColorConversion = .sRGB,
        dynamicRange: DynamicRange = .toneMapped,
        scale: Double = 1,
        typeHint: ImageFormat? = nil,
        firstFrameOnly: Bool = false,
        allowsPartial: Bool = false
    ) {
        self.thumbnailSize = thumbnailSize
        self.preservesAspectRatio = preservesAspectRatio
        self.byteLimit = byteLimit
        self.limits = limits
        self.alpha = alpha
        self.pixelFormat = pixelFormat
        self.colorConversion = colorConversion
        self.dynamicRange = dynamicRange
        self.scale = scale
        self.typeHint = typeHint
        self.firstFrameOnly = firstFrameOnly
        self.allowsPartial = allowsPartial
    }

    /// What the alpha of the result means.
    func alphaMode(of info: ImageInfo) -> AlphaMode {
        guard info.hasAlpha else { return .opaque }
        return alpha == .straight ? .straight : .premultiplied
    }

    /// Whether a decoder is to pour rows of ``PixelFormat/rgba16`` into its ``RowSink``, rather than of 8 bits.
    ///
    /// Of high dynamic range 8 bits would show bands.
    func wantsDeepRows(of info: ImageInfo, colorSpace: ColorSpace = .sRGB) -> Bool {
        info.bitsPerChannel > 8 && (pixelFormat.isDeep || colorSpace.isHighDynamicRange)
    }

    /// The size that a picture of a stored size and an orientation is to be decoded at, before it is turned.
    ///
    /// - Parameter frameCount: How many frames share ``byteLimit``.
    func storedTarget(for stored: PixelSize, orientation: ImageOrientation, frameCount: Int = 1) -> PixelSize {
        var target = orientation.displayed(stored)
        if let thumbnailSize {
            target = target.fitted(into: thumbnailSize, preservesAspectRatio: preservesAspectRatio)
        }
        if let byteLimit {
            target = target.bounded(byBytes: byteLimit, frames: frameCount)
        }
        return orientation.displayed(target)
    }
}
