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
    private var framesFound: [Frame] = []
    private var nextSequenceNumber = 0
    private var isInSequence = true
    private var sawPixels = false

    /// Begins with nothing known.
    init() {}

    /// Reads to the end, or as far as the file goes; only the IHDR chunk must be there.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let first = PNGChunk(reader, at: PNGChunks.signature.count), try read(first, limits: limits) else {
            throw .truncated(.png, decodedRows: 0, ofRows: 0)
        }
        var offset = first.end
        while let chunk = PNGChunk(reader, at: offset), !chunk.has("IEND") {
            _ = try read(chunk, limits: limits)
            offset = chunk.end
        }
    }

    /// Reads a chunk; the first one must be IHDR.
    ///
    /// - Returns: false where the chunk's content ends too early.
    mutating func read(_ chunk: PNGChunk, limits: ImageLimits) throws(ImageCodingError) -> Bool {
        if width == 0 {
            guard chunk.has("IHDR"), chunk.length == 13 else {
                throw .corrupt(.png, "it does not begin with an IHDR chunk")
            }
            guard chunk.missing == 0, let content = chunk.content() else { return false }
            try readHeader(ByteReader(content))
            return true
        }
        if chunk.has("IDAT") {
            sawPixels = true
        } else if chunk.has("fdAT") {
            // Its pixels are for whoever shows the frame.
            if playCount != nil, let content = chunk.content() { checkSequence(ByteReader(content).bigEndian32(0)) }
        } else if Self.names.contains(where: { chunk.has($0) }) {
            guard chunk.missing == 0, let content = chunk.content() else { return false }
            read(chunk, ByteReader(content))
            try limits.check(frames: framesFound.count, of: .apng)
        }
        return true
    }

    /// The chunks, beside IHDR, whose content is looked at here as a whole.
    static let names: [StaticString] = ["tRNS", "eXIf", "acTL", "fcTL"]

    /// The frames of an APNG that are there; none where their numbers are out of order (§11.3.6.1).
    var frames: [Frame] { isInSequence ? framesFound : [] }

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

    private mutating func read(_ chunk: PNGChunk, _ content: ByteReader) {
        if chunk.has("tRNS") {
            hasTransparency = hasTransparency || !sawPixels
        } else if chunk.has("eXIf") {
            // Behind the pixels it comes too late for whoever shows them as they come, and is left alone, as in browsers.
            if !sawPixels, let found = EXIFReader.orientation(content.bytes) { orientation = found }
        } else if chunk.has("acTL") {
            if !sawPixels, let plays = content.bigEndian32(4) { playCount = plays }
        } else if chunk.has("fcTL"), playCount != nil {
            readFrameControl(content, at: chunk.offset)
        }
    }

    private mutating func checkSequence(_ number: Int?) {
        guard let number else { return }
        isInSequence = isInSequence && number == nextSequenceNumber
        nextSequenceNumber += 1
    }

    private mutating func readFrameControl(_ content: ByteReader, at offset: Int) {
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
        framesFound.append(Frame(offset: offset, part: part, duration: duration))
    }
}
