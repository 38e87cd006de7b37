/// What the chunks of a PNG say without its pixels (PNG, third edition, §5 and §11), animation control included.
struct PNGHeader {
    /// A frame, as its fcTL chunk describes it.
    struct Frame {
        /// Where the fcTL chunk stands; its picture data follows.
        let offset: Int
        let part: FramePart
        /// Milliseconds.
        let duration: Double
    }

    /// The signature and the IHDR chunk.
    static let bytesBeforeChunks = 33

    private(set) var width = 0
    private(set) var height = 0
    private(set) var bitDepth = 8
    private(set) var colorType = 0
    private(set) var isInterlaced = false
    private(set) var hasTransparency = false
    private(set) var orientation = ImageOrientation.up
    /// `num_plays` of the acTL chunk; nil where it is missing or stands behind the first IDAT, hence for a still.
    private(set) var playCount: Int?
    /// The frames of an APNG that are there; none where their numbers are out of order (§11.3.6.1).
    private(set) var frames: [Frame] = []
    private var nextSequenceNumber = 0
    private var isInSequence = true
    private var sawPixels = false

    /// Reads to the end, or as far as the file goes; only the IHDR chunk must be there.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let size = reader.bigEndian32(8), reader.has("IHDR", at: 12), size == 13 else {
            if reader.count < Self.bytesBeforeChunks { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
            throw .corrupt(.png, "it does not begin with an IHDR chunk")
        }
        guard let chunk = reader.window(16, 13) else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        try readHeader(ByteReader(chunk))
        var offset = Self.bytesBeforeChunks
        while let length = reader.bigEndian32(offset), length <= 0x7FFF_FFFF, !reader.has("IEND", at: offset + 4) {
            readChunk(reader, at: offset, length: length)
            try limits.check(frames: frames.count, of: .apng)
            offset += 12 + length
        }
        if !isInSequence { frames = [] }
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
        } else if reader.has("fcTL", at: offset + 4), playCount != nil {
            readFrameControl(reader, at: offset, length: length)
        } else if reader.has("fdAT", at: offset + 4), playCount != nil {
            checkSequence(reader.bigEndian32(offset + 8))
        }
    }

    private mutating func checkSequence(_ number: Int?) {
        guard let number else { return }
        isInSequence = isInSequence && number == nextSequenceNumber
        nextSequenceNumber += 1
    }

    private mutating func readFrameControl(_ reader: ByteReader, at offset: Int, length: Int) {
        guard length >= 26, let content = reader.window(offset + 8, 26).map(ByteReader.init) else { return }
        checkSequence(content.bigEndian32(0))
        guard let width = content.bigEndian32(4), let height = content.bigEndian32(8), let x = content.bigEndian32(12),
            let y = content.bigEndian32(16), let numerator = content.bigEndian16(20),
            let denominator = content.bigEndian16(22), let disposal = content.byte(24), let blend = content.byte(25)
        else { return }
        let rect = PixelRect(x: x, y: y, width: width, height: height)
        guard rect.clipped(to: PixelSize(width: self.width, height: self.height)) == rect else {
            isInSequence = false
            return
        }
        let part = FramePart(
            rect: rect,
            blend: blend == 1 && hasAlpha ? .over : .source,
            disposal: FramePart.Disposal(rawValue: disposal) ?? .keep
        )
        // A denominator of 0 stands for 100.
        let duration = 1000 * Double(numerator) / Double(denominator == 0 ? 100 : denominator)
        frames.append(Frame(offset: offset, part: part, duration: duration))
    }
}
