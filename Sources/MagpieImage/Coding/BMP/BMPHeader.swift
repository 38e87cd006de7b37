import Foundation

/// What stands before the pixels of a BMP, or of the device-independent bitmap inside an icon ("Bitmap Header Types" of the
/// Windows GDI; the OS/2 1 and 2 headers are told apart by their sizes).
struct BMPHeader {
    enum Compression {
        case none, runLengths
    }

    let width: Int
    private(set) var height = 0
    private(set) var isTopDown = false
    let bitsPerPixel: Int
    private(set) var compression = Compression.none
    private(set) var red = BMPChannel(mask: 0x00FF_0000)
    private(set) var green = BMPChannel(mask: 0x0000_FF00)
    private(set) var blue = BMPChannel(mask: 0x0000_00FF)
    /// nil where pixels have no alpha.
    private(set) var alpha: BMPChannel?
    /// The colours that the file holds, opaque, each as the four bytes of a pixel.
    private(set) var palette: [UInt32] = []
    /// Where the pixels begin in the file.
    private(set) var pixelOffset = 0
    /// The embedded ICC profile of a version 5 header.
    private(set) var profile: Data?

    /// Reads a file, which begins with the 14 bytes of the file header.
    init(file reader: ByteReader) throws(ImageCodingError) {
        guard let pixelOffset = reader.littleEndian32(10) else { throw .truncated(.bmp, decodedRows: 0, ofRows: 0) }
        try self.init(reader, at: 14)
        // Some writers leave the offset empty.
        if pixelOffset > 14 { self.pixelOffset = pixelOffset }
    }

    /// Reads the bitmap of an icon, whose height counts the mask below the picture too.
    ///
    /// All 32 bits of a pixel are colours and alpha there.
    init(icon reader: ByteReader) throws(ImageCodingError) {
        try self.init(reader, at: 0)
        height /= 2
        guard height > 0 else { throw .corrupt(.ico, "a picture of it has no rows") }
        if bitsPerPixel == 32, alpha == nil { alpha = BMPChannel(mask: 0xFF00_0000) }
    }

    private init(_ reader: ByteReader, at start: Int) throws(ImageCodingError) {
        guard let size = reader.littleEndian32(start), let header = reader.window(start, size) else {
            throw .truncated(.bmp, decodedRows: 0, ofRows: 0)
        }
        let fields = ByteReader(header)
        let isCore = size == 12
        guard let width = isCore ? fields.littleEndian16(4) : fields.littleEndian32(4).map(Self.signed),
            let height = isCore ? fields.littleEndian16(6) : fields.littleEndian32(8).map(Self.signed),
            let bits = fields.littleEndian16(isCore ? 10 : 14)
        else { throw .corrupt(.bmp, "its header has \(size) bytes") }
        guard width > 0, height != 0 else { throw .corrupt(.bmp, "the size \(width) x \(height) is not allowed") }
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            throw .unsupportedFeature(.bmp, "\(bits) bits a pixel")
        }
        self.width = width
        (self.height, isTopDown) = (abs(height), height < 0)
        bitsPerPixel = bits
        let maskBytes = try readCompression(fields, reader, behind: start + size)
        readPalette(fields, reader, at: start + size + maskBytes, entryBytes: isCore ? 3 : 4)
        readProfile(fields, reader, start: start)
    }

    /// Bytes from the beginning of a row to that of the next.
    var bytesPerRow: Int { (width * bitsPerPixel + 31) / 32 * 4 }

    /// - Returns: How many bytes of masks follow a header that has no room for them.
    private mutating func readCompression(
        _ fields: ByteReader,
        _ reader: ByteReader,
        behind end: Int
    ) throws(ImageCodingError) -> Int {
        let method = fields.littleEndian32(16) ?? 0
        let isOS2 = fields.count == 64
        switch (method, bitsPerPixel) {
        case (0, 16):
            setMasks(red: 0x7C00, green: 0x03E0, blue: 0x001F, alpha: 0)
        case (0, _):
            break
        case (1, 8), (2, 4):
            compression = .runLengths
        case (3, 16) where !isOS2, (3, 32) where !isOS2, (6, 16), (6, 32):
            // The masks stand at the same place, inside of a longer header or behind a shorter one.
            let count = method == 6 || fields.count >= 56 ? 4 : 3
            let masks = (0..<count).map { reader.littleEndian32(end - fields.count + 40 + 4 * $0) ?? 0 }
            let words = masks.map(UInt32.init(truncatingIfNeeded:)) + [0]
            setMasks(red: words[0], green: words[1], blue: words[2], alpha: words[3])
            return max(0, 40 + 4 * count - fields.count)
        default:
            throw .unsupportedFeature(.bmp, "compression \(method) of \(bitsPerPixel) bits a pixel")
        }
        return 0
    }

    private mutating func setMasks(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
        self.red = BMPChannel(mask: red)
        self.green = BMPChannel(mask: green)
        self.blue = BMPChannel(mask: blue)
        self.alpha = alpha == 0 ? nil : BMPChannel(mask: alpha)
    }

    /// Reads as many colours as the header says and the file holds, and puts the pixels behind them.
    private mutating func readPalette(_ fields: ByteReader, _ reader: ByteReader, at start: Int, entryBytes: Int) {
        let most = bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0
        let stated = fields.littleEndian32(32) ?? 0
        let count = stated == 0 ? most : stated
        for index in 0..<min(count, most) {
            guard let entry = reader.window(start + index * entryBytes, 3) else { break }
            let color = UInt32(entry[2]) | UInt32(entry[1]) << 8 | UInt32(entry[0]) << 16
            palette.append((color | 0xFF00_0000).littleEndian)
        }
        pixelOffset = start + count * entryBytes
    }

    private mutating func readProfile(_ fields: ByteReader, _ reader: ByteReader, start: Int) {
        // "MBED" as a little-endian number: the profile is in this file.
        guard fields.has("DEBM", at: 56), let offset = fields.littleEndian32(112),
            let size = fields.littleEndian32(116), let bytes = reader.window(start + offset, size)
        else { return }
        profile = Data(bytes)
    }

    private static func signed(_ word: Int) -> Int {
        Int(Int32(truncatingIfNeeded: word))
    }
}
