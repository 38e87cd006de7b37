/// A decoded picture together with what its header said.
public struct DecodedImage: Sendable {
    /// The pixels, upright, at the size that was asked for.
    public let bitmap: Bitmap
    /// The header of the file; its sizes are those of the file, not of a thumbnail.
    public let info: ImageInfo
    /// The share of rows, 0…1, whose final pixels the file did not deliver; 0 for a whole picture.
    ///
    /// A progressive file that is cut off counts as 1 even where a coarse picture of the whole is there.
    public let missingFraction: Double
    /// Whether the file was damaged or cut off; only with ``ImageDecodeOptions/allowsPartial``.
    public let isPartial: Bool
    /// Pixels per point, at least 1: how dense a screen the picture is meant for, as asked for when it was decoded.
    public var scale: Double {
        didSet { scale = Self.valid(scale) }
    }

    /// Joins pixels and header; `missingFraction` is nil for a whole picture.
    public init(bitmap: Bitmap, info: ImageInfo, missingFraction: Double? = nil, scale: Double = 1) {
        self.bitmap = bitmap
        self.info = info
        self.scale = Self.valid(scale)
        self.missingFraction = missingFraction ?? 0
        isPartial = missingFraction != nil
    }

    private static func valid(_ scale: Double) -> Double { scale.isFinite ? max(1, scale) : 1 }
}
