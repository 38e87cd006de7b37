import Foundation

/// Cuts a rectangle out of a picture.
public struct CropTransformer: ImageTransformer {
    /// What is kept, in pixels; the part of it outside of the picture is left away.
    public let rect: PixelRect

    /// Makes the transformer.
    public init(rect: PixelRect) {
        self.rect = rect
    }

    /// `SDImageCroppingTransformer({x,y,width,height})`, with six decimals: the key that SDWebImage gives it.
    public var key: String {
        let sides = [rect.x, rect.y, rect.width, rect.height].map { String(format: "%.6f", Double($0)) }
        return "SDImageCroppingTransformer({\(sides.joined(separator: ","))})"
    }

    /// Cuts.
    ///
    /// - Throws: ``ImageCodingError/cannotTransform(_:)`` where nothing of the picture lies within the rectangle.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        guard let kept = rect.clipped(to: bitmap.size) else {
            throw .cannotTransform(
                "no pixel of its \(bitmap.width) x \(bitmap.height) lies in the rectangle that is to be cut out"
            )
        }
        if kept.width == bitmap.width, kept.height == bitmap.height { return bitmap }
        let result = try BitmapBuffer(like: bitmap, width: kept.width, height: kept.height)
        let pixelBytes = bitmap.format.bytesPerPixel
        bitmap.withUnsafeBytes { pixels in
            guard let first = pixels.baseAddress?.advanced(by: kept.y * bitmap.bytesPerRow + kept.x * pixelBytes) else {
                return
            }
            for row in 0..<kept.height {
                result.row(row)?
                    .copyMemory(from: first + row * bitmap.bytesPerRow, byteCount: kept.width * pixelBytes)
            }
        }
        return result.finish(colorSpace: bitmap.colorSpace)
    }
}

extension ImageTransformer where Self == CropTransformer {
    /// Cuts a rectangle of pixels out: `.crop(x: 10, y: 0, width: 64, height: 64)`.
    public static func crop(x: Int, y: Int, width: Int, height: Int) -> CropTransformer {
        CropTransformer(rect: PixelRect(x: x, y: y, width: width, height: height))
    }
}
