/// What the header of a picture says.
///
/// Nothing here needs a pixel to be decoded.
public struct ImageInfo: Sendable, Hashable {
    /// The format, found by content.
    public var format: ImageFormat
    /// Width in pixels as stored, before orientation.
    public var width: Int
    /// Height in pixels as stored, before orientation.
    public var height: Int
    /// The part of the stored picture that is to be seen, before it is turned; nil for all of it.
    ///
    /// It is the clean aperture of AVIF and HEIC.
    public var crop: PixelRect?
    /// How the stored picture is to be turned to be seen upright.
    public var orientation: ImageOrientation
    /// Whether the file declares alpha: an alpha channel, a transparent colour, or a first GIF frame that does not
    /// cover the canvas.
    ///
    /// All pixels may turn out opaque.
    public var hasAlpha: Bool
    /// Number of frames; 1 for a still picture.
    public var frameCount: Int
    /// How often an animation plays, 0 for ever; nil for a still format or a still file of a format that can do both.
    ///
    /// A GIF always has one: 1 where it has no loop extension.
    public var loopCount: Int?
    /// Milliseconds that each frame is shown, as stored; empty for a still.
    public var frameDurations: [Double]
    /// Bits of a channel as stored: 1, 2, 4, 8, 12 or 16; 8 for a picture with a palette.
    public var bitsPerChannel: Int
    /// How colours are stored: `gray`, `rgb`, `ycbcr`, `cmyk`, `ycck`, `indexed`.
    public var colorSpace: String
    /// Whether the file is laid out so that a coarse picture of the whole comes first (progressive JPEG, interlaced PNG, GIF).
    public var isProgressive: Bool

    /// Describes a still, opaque, 8-bit picture unless said otherwise.
    public init(
        format: ImageFormat,
        width: Int,
        height: Int,
        crop: PixelRect? = nil,
        orientation: ImageOrientation = .up,
        hasAlpha: Bool = false,
        frameCount: Int = 1,
        loopCount: Int? = nil,
        frameDurations: [Double] = [],
        bitsPerChannel: Int = 8,
        colorSpace: String = "rgb",
        isProgressive: Bool = false
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.crop = crop
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.bitsPerChannel = bitsPerChannel
        self.colorSpace = colorSpace
        self.isProgressive = isProgressive
    }

    /// Width and height as stored.
    public var storedSize: PixelSize { PixelSize(width: width, height: height) }

    /// Bytes of all pixels at full size, as RGBA of 8 bits; the largest integer where they do not fit one.
    var pixelBytes: Int { BitmapBuffer.byteCount(width: width, height: height) ?? Int.max }

    /// Width and height of the part that is to be seen, before it is turned.
    var visibleSize: PixelSize { crop.map { PixelSize(width: $0.width, height: $0.height) } ?? storedSize }

    /// Width and height as seen, after ``crop`` and ``orientation``.
    public var displayedSize: PixelSize { orientation.displayed(visibleSize) }
}
