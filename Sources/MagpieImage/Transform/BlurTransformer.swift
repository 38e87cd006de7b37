import Foundation

/// Blurs a picture, much like a Gaussian filter: three box filters, one after the other (the construction is that of SVG 1.1
/// §15.17, feGaussianBlur), in a time that does not depend on the radius.
///
/// Colours are mixed premultiplied; at the edges the outermost pixels count as going on.
public struct BlurTransformer: ImageTransformer {
    /// Pixels: about the standard deviation of the Gaussian filter.
    public let radius: Double

    /// Makes the transformer; a radius of 0 or less, or one that is not finite, leaves pictures as they are.
    public init(radius: Double) {
        self.radius = radius.isFinite ? max(0, radius) : 0
    }

    /// `SDImageBlurTransformer(radius)`, with six decimals: the key that SDWebImage gives it.
    public var key: String { String(format: "SDImageBlurTransformer(%.6f)", radius) }

    /// Blurs.
    ///
    /// A radius between 0 and 2 counts as 2, as in SDWebImage.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        guard radius > Double(Float.ulpOfOne) else { return bitmap }
        return try bitmap.withPremultipliedColors { (bitmap) throws(ImageCodingError) in
            let result = try BitmapBuffer(copying: bitmap)
            guard let pixels = result.row(0)?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return bitmap }
            let (width, height) = (bitmap.width, bitmap.height)
            let filter = BoxFilter(sigma: max(2, radius))
            try filter.apply(to: pixels, lines: height, lineStep: width, count: width, step: 1)
            try filter.apply(to: pixels, lines: width, lineStep: 1, count: height, step: width)
            return result.finish(colorSpace: bitmap.colorSpace)
        }
    }
}

extension ImageTransformer where Self == BlurTransformer {
    /// Blurs by a radius in pixels: `.blur(radius: 8)`.
    public static func blur(radius: Double) -> BlurTransformer {
        BlurTransformer(radius: radius)
    }
}
