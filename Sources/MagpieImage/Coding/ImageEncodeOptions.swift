import Foundation

/// How a picture is to be encoded.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// 0 (smallest) to 1 (best), 0.9 unless said otherwise; values outside are clamped.
    ///
    /// Lossless formats ignore it.
    public var quality: Double
    /// What is put behind transparent pixels where a format has no alpha (JPEG); white unless said otherwise.
    ///
    /// Its own alpha is ignored.
    public var background: PixelColor
    /// true writes without loss where a format can do both (WebP); ``quality`` is then ignored.
    public var isLossless: Bool
    /// The box that the picture is scaled down into, with its ratio kept; nil for none.
    ///
    /// ``ImageCoders`` sees to it, for every format; a coder of its own does not.
    public var maximumPixelSize: PixelSize?
    /// The most bytes that the file may take; nil for no bound.
    ///
    /// The highest quality, up to ``quality``, is looked for that keeps within it, in at most eight encodes. ``ImageCoders``
    /// sees to it, for every format; a coder of its own does not.
    public var maximumByteCount: Int?
    /// EXIF and XMP to store in the file; nil, as is usual, for neither, so that nobody learns where a picture was taken.
    ///
    /// Bitmaps are upright, and the orientation that the EXIF states is set to say so. JPEG, PNG and WebP store both; blocks
    /// too long for a JPEG's segment are left out.
    public var metadata: ImageMetadata?

    /// Makes options; the defaults suit photographs.
    public init(
        quality: Double = 0.9,
        background: PixelColor = .white,
        isLossless: Bool = false,
        maximumPixelSize: PixelSize? = nil,
        maximumByteCount: Int? = nil,
        metadata: ImageMetadata? = nil
    ) {
        self.quality = quality
        self.background = background
        self.isLossless = isLossless
        self.maximumPixelSize = maximumPixelSize
        self.maximumByteCount = maximumByteCount
        self.metadata = metadata
    }

    /// ``quality`` as the 0…100 of the C libraries.
    var percent: Double {
        quality.isNaN ? 90 : max(0, min(1, quality)) * 100
    }

    /// The EXIF block to store, for a picture that is upright.
    var uprightEXIF: Data? { metadata?.exif.map(EXIFBlock.upright) }
}
