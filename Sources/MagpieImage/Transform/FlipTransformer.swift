/// Mirrors a picture.
public struct FlipTransformer: ImageTransformer {
    /// Whether left and right change places.
    public let horizontal: Bool
    /// Whether top and bottom change places.
    public let vertical: Bool

    /// Makes the transformer; with neither, pictures stay as they are.
    public init(horizontal: Bool, vertical: Bool) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// `SDImageFlippingTransformer(horizontal,vertical)`, as 0 or 1: the key that SDWebImage gives it.
    public var key: String { "SDImageFlippingTransformer(\(horizontal ? 1 : 0),\(vertical ? 1 : 0))" }

    /// Mirrors; no pixel changes its value.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        switch (horizontal, vertical) {
        case (false, false): bitmap
        case (true, false): try bitmap.upright(from: .upMirrored)
        case (false, true): try bitmap.upright(from: .downMirrored)
        case (true, true): try bitmap.upright(from: .down)
        }
    }
}

extension ImageTransformer where Self == FlipTransformer {
    /// Mirrors left to right, top to bottom, or both: `.flip(horizontal: true)`.
    public static func flip(horizontal: Bool = false, vertical: Bool = false) -> FlipTransformer {
        FlipTransformer(horizontal: horizontal, vertical: vertical)
    }
}
