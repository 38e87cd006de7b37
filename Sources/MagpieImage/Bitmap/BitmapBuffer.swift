/// A bitmap in the making: writable memory with one owner, which becomes a ``Bitmap`` by ``finish(colorSpace:)`` or is freed.
public struct BitmapBuffer: ~Copyable {
    /// Pixels in a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// How a pixel lies in memory.
    public internal(set) var format: PixelFormat
    /// What the alpha channel will mean.
    public internal(set) var alpha: AlphaMode
    let storage: PixelStorage

    /// Asks for the memory of a picture; all pixels are transparent black at first.
    ///
    /// - Throws: ``ImageCodingError/outOfMemory(bytes:)`` where a side is not positive, where the size does not fit an
    ///   integer, or where the memory cannot be had.
    public init(
        width: Int,
        height: Int,
        format: PixelFormat = .rgba8,
        alpha: AlphaMode
    ) throws(ImageCodingError) {
        guard let byteCount = Self.byteCount(width: width, height: height, format: format) else {
            throw .outOfMemory(bytes: Int.max)
        }
        guard let storage = PixelStorage(byteCount: byteCount) else { throw .outOfMemory(bytes: byteCount) }
        self.width = width
        self.height = height
        self.format = format
        self.alpha = alpha
        self.storage = storage
    }

    /// Asks for the memory of a picture whose pixels mean the same as those of another.
    init(like bitmap: Bitmap, width: Int, height: Int) throws(ImageCodingError) {
        try self.init(width: width, height: height, format: bitmap.format, alpha: bitmap.alpha)
    }

    /// Makes a writable copy.
    init(copying bitmap: Bitmap) throws(ImageCodingError) {
        try self.init(like: bitmap, width: bitmap.width, height: bitmap.height)
        bitmap.withUnsafeBytes { storage.bytes.copyMemory(from: $0) }
    }

    /// Bytes from the beginning of a row to that of the next.
    public var bytesPerRow: Int { width * format.bytesPerPixel }

    /// Gives access to all rows, from the top, ``bytesPerRow`` apart.
    public mutating func withUnsafeMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(storage.bytes)
    }

    /// Gives the memory over to an immutable bitmap, without a copy.
    public consuming func finish(colorSpace: ColorSpace = .sRGB) -> Bitmap {
        Bitmap(
            width: width,
            height: height,
            format: format,
            alpha: alpha,
            colorSpace: colorSpace,
            storage: storage
        )
    }

    /// A buffer of the same size with the first rows in it; nil where there is no memory for it.
    func copy(rows: Int, alpha: AlphaMode) -> BitmapBuffer? {
        guard let copy = try? BitmapBuffer(width: width, height: height, format: format, alpha: alpha),
            let from = row(0)
        else { return nil }
        copy.row(0)?.copyMemory(from: from, byteCount: min(rows, height) * bytesPerRow)
        return copy
    }

    /// The start of a row.
    func row(_ index: Int) -> UnsafeMutableRawPointer? {
        guard index >= 0, index < height else { return nil }
        return storage.bytes.baseAddress?.advanced(by: index * bytesPerRow)
    }

    /// The size in bytes, or nil where a side is not positive or the product does not fit.
    static func byteCount(width: Int, height: Int, format: PixelFormat = .rgba8) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
        let (total, overflow) = rowBytes.multipliedReportingOverflow(by: height)
        return rowOverflow || overflow ? nil : total
    }
}
