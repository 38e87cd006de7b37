import Foundation
import MagpieImage

/// Pictures made for the tests.
enum Pictures {
    /// The formats that this build writes.
    static let formats = [ImageFormat.jpeg, .png, .webp].filter(ImageCoders.shared.canEncode)

    /// Those of them that can keep every pixel as it is.
    static let losslessFormats =
        formats.filter { $0 != .jpeg } + [ImageFormat.tiff].filter(ImageCoders.shared.canEncode)

    /// A bitmap whose pixel at (x, y) is what the function says, straight.
    static func bitmap(
        width: Int,
        height: Int,
        alpha: AlphaMode = .opaque,
        _ color: (Int, Int) -> PixelColor
    ) throws -> Bitmap {
        var buffer = try BitmapBuffer(width: width, height: height, alpha: alpha)
        let stride = buffer.bytesPerRow
        buffer.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = color(x, y)
                    let at = y * stride + 4 * x
                    (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]) = (pixel.r, pixel.g, pixel.b, pixel.a)
                }
            }
        }
        return buffer.finish()
    }

    /// Smooth colours that differ everywhere, so that a turned or shifted picture cannot pass for the right one.
    static func gradient(width: Int, height: Int) throws -> Bitmap {
        try bitmap(width: width, height: height) { x, y in
            PixelColor(r: UInt8(x * 255 / max(1, width - 1)), g: UInt8(y * 255 / max(1, height - 1)), b: 80)
        }
    }

    /// Straight alpha from transparent at the left to opaque at the right.
    static func fading(width: Int, height: Int) throws -> Bitmap {
        try bitmap(width: width, height: height, alpha: .straight) { x, y in
            PixelColor(r: 200, g: UInt8(y * 255 / max(1, height - 1)), b: 40, a: UInt8(x * 255 / max(1, width - 1)))
        }
    }

    static func file(_ bitmap: Bitmap, _ format: ImageFormat, quality: Double = 0.95) throws -> Data {
        try ImageCoders.shared.encode(bitmap, as: format, options: ImageEncodeOptions(quality: quality))
    }

    /// A small file of each format that is built in, made without reading any.
    static func files() throws -> [(name: String, data: Data)] {
        let picture = try gradient(width: 23, height: 17)
        var files = [
            ("jpeg", try file(picture, .jpeg)),
            ("png", try file(picture, .png)),
            ("png with alpha", try file(fading(width: 23, height: 17), .png)),
        ]
        #if WebP
        files.append(("webp", try file(picture, .webp)))
        files.append(("webp with alpha", try file(fading(width: 23, height: 17), .webp)))
        #endif
        files.append(("bmp", BMPBytes.file(bits: 24, rows: [[1, 2, 3, 4, 5, 6, 7, 8]], width: 2)))
        #if TIFF
        files.append(("tiff", try file(picture, .tiff)))
        files.append(("tiff with alpha", try file(fading(width: 23, height: 17), .tiff)))
        #endif
        #if GIF
        files.append(("gif", GIFBytes.checkers()))
        #endif
        return files
    }
}

extension Bitmap {
    /// The largest difference of any channel of any pixel; nil where the sizes differ.
    func largestDifference(from other: Bitmap) -> Int? {
        guard size == other.size else { return nil }
        return zip(straightRGBA(), other.straightRGBA()).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}
