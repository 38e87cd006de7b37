/// Lays one colour over a picture.
public struct TintTransformer: ImageTransformer {
    /// The colour; one that is fully transparent leaves pictures as they are.
    public let color: PixelColor
    /// How the colour, as the source, and the picture below it make one.
    public let blendMode: BlendMode

    /// Makes the transformer; the usual mode gives each pixel the colour and keeps the picture's shape.
    public init(color: PixelColor, blendMode: BlendMode = .sourceIn) {
        self.color = color
        self.blendMode = blendMode
    }

    /// `SDImageTintTransformer(#aarrggbb,mode)`: the key that SDWebImage gives it.
    public var key: String { "SDImageTintTransformer(\(color.hexadecimal),\(blendMode.rawValue))" }

    /// Lays the colour over every pixel, also where the picture is transparent, as the mode says.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        if color.a == 0 { return bitmap }
        return try bitmap.withPremultipliedColors { (bitmap) throws(ImageCodingError) in
            let result = try BitmapBuffer(width: bitmap.width, height: bitmap.height, alpha: .premultiplied)
            let source = color.premultiplied / 255
            bitmap.withUnsafeBytes { pixels in
                guard let from = pixels.baseAddress?.assumingMemoryBound(to: SIMD4<UInt8>.self),
                    let to = result.row(0)?.assumingMemoryBound(to: SIMD4<UInt8>.self)
                else { return }
                var last = (pixel: from[0], result: blend(source, over: from[0]))
                for index in 0..<(bitmap.width * bitmap.height) {
                    // Neighbours are often equal.
                    if from[index] != last.pixel { last = (from[index], blend(source, over: from[index])) }
                    to[index] = last.result
                }
            }
            return result.finish(colorSpace: bitmap.colorSpace)
        }
    }

    private func blend(_ source: SIMD4<Float>, over pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let result = blendMode.blend(source, over: SIMD4<Float>(pixel) / 255)
        let alpha = min(max(result.w, 0), 1)
        let limited = result.clamped(lowerBound: .zero, upperBound: .init(repeating: alpha)) * 255
        return SIMD4<UInt8>(limited, rounding: .toNearestOrEven)
    }
}

extension ImageTransformer where Self == TintTransformer {
    /// Lays a colour over a picture: `.tint(.black)`.
    public static func tint(_ color: PixelColor, blendMode: BlendMode = .sourceIn) -> TintTransformer {
        TintTransformer(color: color, blendMode: blendMode)
    }
}
