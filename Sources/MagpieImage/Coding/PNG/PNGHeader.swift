/// What the chunks of a PNG say without its pixels (PNG, third edition, §5 and §11), animation control included.
struct PNGHeader {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitDepth = 8
    private(set) var colorType = 0
    private(set) var isInterlaced = false
    private(set) var hasTransparency = false
    private(set) var orientation = ImageOrientation.up
    /// `num_plays` of the acTL chunk; nil where it is missing or stands behind the first IDAT, hence for a still.
    private(set) var playCount: Int?
    /// Milliseconds of each frame, one for each fcTL chunk.
    private(set) var frameDurations: [Double] = []
    private var sawPixels = false

    /// Reads to the end, or as far as the file goes; only the IHDR chunk must be there.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let size = reader.bigEndian32(8), reader.has("IHDR", at: 12), size == 13 else {
            if reader.count < 33 { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
            throw .corrupt(.png, "it does not begin with an IHDR chunk")
        }
        guard let chunk = reader.window(16, 13) else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        try readHeader(ByteReader(chunk))
        var offset = 33
        while let length = reader.bigEndian32(offset), length <= 0x7FFF_FFFF, !reader.has("IEND", at: offset + 4) {
            readChunk(reader, at: offset, length: length)
            try limits.check(frames: frameDurations.count, of: .apng)
            offset += 12 + length
        }
    }

    /// Whether the file declares alpha: by its colour type or by a tRNS chunk.
    var hasAlpha: Bool { colorType & 4 != 0 || hasTransparency }

    /// How colours are stored.
    var colorSpace: String {
        switch colorType {
        case 0, 4: "gray"
        case 3: "indexed"
        default: "rgb"
        }
    }

    private mutating func readHeader(_ chunk: ByteReader) throws(ImageCodingError) {
        guard let width = chunk.bigEndian32(0), let height = chunk.bigEndian32(4), let depth = chunk.byte(8),
            let type = chunk.byte(9), let interlace = chunk.byte(12)
        else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
            throw .corrupt(.png, "the size \(width) x \(height) is not allowed")
        }
        guard [0, 2, 3, 4, 6].contains(type), [1, 2, 4, 8, 16].contains(depth) else {
            throw .corrupt(.png, "colour type \(type) with \(depth) bits does not exist")
        }
        (self.width, self.height, bitDepth, colorType) = (width, height, Int(depth), Int(type))
        isInterlaced = interlace == 1
    }

    private mutating func readChunk(_ reader: ByteReader, at offset: Int, length: Int) {
        if reader.has("IDAT", at: offset + 4) {
            sawPixels = true
        } else if reader.has("tRNS", at: offset + 4) {
            hasTransparency = hasTransparency || !sawPixels
        } else if reader.has("eXIf", at: offset + 4) {
            if let block = reader.window(offset + 8, length), let found = EXIFReader.orientation(block) {
                orientation = found
            }
        } else if reader.has("acTL", at: offset + 4) {
            if !sawPixels, let plays = reader.bigEndian32(offset + 12) { playCount = plays }
        } else if reader.has("fcTL", at: offset + 4), length >= 26, playCount != nil,
            let numerator = reader.bigEndian16(offset + 28), let denominator = reader.bigEndian16(offset + 30)
        {
            // A denominator of 0 stands for 100.
            frameDurations.append(1000 * Double(numerator) / Double(denominator == 0 ? 100 : denominator))
        }
    }
}
