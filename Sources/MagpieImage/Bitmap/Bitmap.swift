public import Foundation

/// A decoded picture: rows of pixels, immutable, cheap to hand around (copies share the memory).
///
/// The memory starts on a 64-byte boundary and is freed when the last copy is gone. Make one through ``BitmapBuffer``.
public struct Bitmap: Sendable {
    /// Pixels in a row; at least 1.
    public let width: Int
    /// Number of rows; at least 1.
    public let height: Int
    /// How a pixel lies in memory.
    public let format: PixelFormat
    /// What the alpha channel means.
    public let alpha: AlphaMode
    /// What the numbers mean as colours.
    public let colorSpace: ColorSpace
    private let storage: PixelStorage

    init(
        width: Int,
        height: Int,
        format: PixelFormat,
        alpha: AlphaMode,
        colorSpace: ColorSpace,
        storage: PixelStorage
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.alpha = alpha
        self.colorSpace = colorSpace
        self.storage = storage
    }

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
    /// The top left pixel is (0, 0). A channel of 16 bits is rounded to 8.
    public func pixel(x: Int, y: Int) -> PixelColor? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return withUnsafeBytes { bytes in
            let at = y * bytesPerRow + x * format.bytesPerPixel
            let pixel = straightRGBA(UnsafeRawBufferPointer(rebasing: bytes[at..<(at + format.bytesPerPixel)]))
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

    /// All pixels as tight rows of red, green, blue and alpha of 8 bits, not multiplied by alpha, from the top.
    ///
    /// Exact for an opaque or straight bitmap; from a premultiplied one the colours of nearly transparent pixels come back
    /// rounded, so decode with ``ImageDecodeOptions/Alpha/straight`` where every bit counts.
    public func straightRGBA() -> Data {
        withUnsafeBytes { straightRGBA($0) }
    }

    private func straightRGBA(_ pixels: UnsafeRawBufferPointer) -> Data {
        let isPremultiplied = alpha == .premultiplied
        if isPremultiplied, format.isDeep {
            // Divided before it is rounded to 8 bits.
            var copy = Data(pixels)
            return copy.withUnsafeMutableBytes { copy in
                Premultiplication.undo(copy, format)
                return Self.rgba8(UnsafeRawBufferPointer(copy), format)
            }
        }
        var result = Self.rgba8(pixels, format)
        if isPremultiplied {
            result.withUnsafeMutableBytes { Premultiplication.undo($0, .rgba8) }
        }
        return result
    }

    private static func rgba8(_ pixels: UnsafeRawBufferPointer, _ format: PixelFormat) -> Data {
        if format == .rgba8 { return Data(pixels) }
        let count = pixels.count / format.bytesPerPixel
        var result = Data(count: count * PixelFormat.rgba8.bytesPerPixel)
        result.withUnsafeMutableBytes { target in
            guard let from = pixels.baseAddress, let to = target.baseAddress else { return }
            PixelConversion.convert(from, format, to: to, .rgba8, count: count)
        }
        return result
    }

    /// The same picture with its pixels in another format; itself where it has that already.
    ///
    /// - Throws: ``ImageCodingError/outOfMemory(bytes:)``.
    public func converted(to format: PixelFormat) throws(ImageCodingError) -> Bitmap {
        if format == self.format { return self }
        let result = try BitmapBuffer(width: width, height: height, format: format, alpha: alpha)
        withUnsafeBytes { pixels in
            guard let from = pixels.baseAddress, let to = result.row(0) else { return }
            PixelConversion.convert(from, self.format, to: to, format, count: width * height)
        }
        return result.finish(colorSpace: colorSpace)
    }
}
