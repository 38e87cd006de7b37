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
    /// What is said of colours, before the pixels.
    private(set) var colors = PNGColors()
    private var sawPixels = false

    /// Begins with nothing known.
    init() {}

    /// Reads to the end, or as far as the file goes; only the IHDR chunk must be there.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let first = PNGChunk(reader, at: 8) else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        guard try read(first, in: reader, limits: limits) else {
            throw .truncated(.png, decodedRows: 0, ofRows: 0)
        }
        var offset = first.end
        while let chunk = PNGChunk(reader, at: offset), !chunk.isEnd {
            _ = try read(chunk, in: reader, limits: limits)
            offset = chunk.end
        }
    }

    /// Reads a chunk; the first one must be IHDR.
    ///
    /// - Returns: false where the chunk's content ends too early.
    mutating func read(
        _ chunk: PNGChunk,
        in reader: ByteReader,
        limits: ImageLimits
    ) throws(ImageCodingError) -> Bool {
        if width == 0 {
            guard chunk.name == "IHDR", chunk.length == 13 else {
                throw .corrupt(.png, "it does not begin with an IHDR chunk")
            }
            guard let content = reader.window(chunk.content, 13) else { return false }
            try readHeader(ByteReader(content))
            return true
        }
        if chunk.isPixels {
            sawPixels = true
            return true
        }
        guard Self.names.contains(chunk.name) else { return true }
        guard let content = reader.window(chunk.content, chunk.length) else { return false }
        read(chunk.name, ByteReader(content))
        try limits.check(frames: frameDurations.count, of: .apng)
        return true
    }

    /// The chunks, beside IHDR, whose content is looked at here.
    static let names: Set<String> = PNGColors.names.union(["tRNS", "eXIf", "acTL", "fcTL"])

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

    private mutating func read(_ name: String, _ content: ByteReader) {
        switch name {
        case "tRNS":
            hasTransparency = hasTransparency || !sawPixels
        case "eXIf":
            // Behind the pixels it comes too late for whoever shows them as they come, and is left alone, as in browsers.
            if !sawPixels, let found = EXIFReader.orientation(content.bytes) { orientation = found }
        case "acTL":
            if !sawPixels, let plays = content.bigEndian32(4) { playCount = plays }
        case "fcTL" where playCount != nil:
            guard content.count >= 26, let numerator = content.bigEndian16(20),
                let denominator = content.bigEndian16(22)
            else { return }
            // A denominator of 0 stands for 100.
            frameDurations.append(1000 * Double(numerator) / Double(denominator == 0 ? 100 : denominator))
        default:
            if !sawPixels { colors.read(name, content) }
        }
    }

    /// What the header says, to everybody; a picture of too many pixels is refused.
    func info(limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: width, height: height)
        let isAnimated = playCount != nil && !frameDurations.isEmpty
        return ImageInfo(
            format: playCount == nil ? .png : .apng,
            width: width,
            height: height,
            orientation: orientation,
            hasAlpha: hasAlpha,
            frameCount: isAnimated ? frameDurations.count : 1,
            loopCount: playCount,
            frameDurations: frameDurations,
            bitsPerChannel: colorType == 3 ? 8 : bitDepth,
            colorSpace: colorSpace,
            isProgressive: isInterlaced
        )
    }
}
