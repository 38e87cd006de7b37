public import Foundation

/// A decoded picture: rows of pixels, immutable, cheap to hand around (copies share the memory).
///
/// The memory starts on a 64-byte boundary and is freed when the last copy is gone. Make one through ``BitmapBuffer``.
public struct Bitmap: Sendable {
    /// Pixels in a row; at least 1.
    public let width: Int
    /// Number of rows; at least 1.
    public let height: Int
    /// What the alpha bytes mean.
    public let alpha: AlphaMode
    /// What the numbers mean as colours.
    public let colorSpace: ColorSpace
    private let storage: PixelStorage

    init(width: Int, height: Int, alpha: AlphaMode, colorSpace: ColorSpace, storage: PixelStorage) {
        self.width = width
        self.height = height
        self.alpha = alpha
        self.colorSpace = colorSpace
        self.storage = storage
    }

    /// How a pixel lies in memory.
    public var format: PixelFormat { .rgba8 }

    /// Bytes from the beginning of a row to that of the next; step by it rather than by the width.
    public var bytesPerRow: Int { width * format.bytesPerPixel }

    /// Bytes of memory that the pixels take: the cost of keeping the bitmap.
    public var byteCount: Int { storage.bytes.count }

    /// Width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// Gives access to all rows, from the top, ``bytesPerRow`` apart.
    ///
    /// The pointer is valid inside the closure only.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withExtendedLifetime(storage) { () throws(E) -> R in try body(UnsafeRawBufferPointer(storage.bytes)) }
    }

    /// One pixel, not multiplied by alpha; nil outside of the picture.
    ///
    /// The top left pixel is (0, 0).
    public func pixel(x: Int, y: Int) -> PixelColor? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return withUnsafeBytes { bytes in
            let at = y * bytesPerRow + x * format.bytesPerPixel
            var pixel = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
            if alpha == .premultiplied {
                pixel.withUnsafeMutableBytes { Premultiplication.undo($0) }
            }
            return PixelColor(r: pixel[0], g: pixel[1], b: pixel[2], a: pixel[3])
        }
    }

    /// The pixels of a rectangle, row by row, not multiplied by alpha; nil where it is empty or leaves the picture.
    public func pixels(in rect: PixelRect) -> [PixelColor]? {
        guard rect.clipped(to: size) == rect else { return nil }
        var colors: [PixelColor] = []
        colors.reserveCapacity(rect.width * rect.height)
        for y in rect.y..<(rect.y + rect.height) {
            for x in rect.x..<(rect.x + rect.width) {
                if let color = pixel(x: x, y: y) { colors.append(color) }
            }
        }
        return colors
    }

    /// All pixels as tight rows of red, green, blue and alpha, not multiplied by alpha, from the top.
    ///
    /// Exact for an opaque or straight bitmap; from a premultiplied one the colours of nearly transparent pixels come back
    /// rounded, so decode with ``ImageDecodeOptions/Alpha/straight`` where every bit counts.
    public func straightRGBA() -> Data {
        var result = withUnsafeBytes { Data($0) }
        if alpha == .premultiplied {
            result.withUnsafeMutableBytes { Premultiplication.undo($0) }
        }
        return result
    }
}
