import Foundation

/// A PNG whose bytes come in pieces: takes the chunks apart and gives libpng those that pixels need.
///
/// Text and other chunks are stepped over, so that they can neither inflate nor be held in memory.
struct PNGStream: PictureStream {
    /// The longest chunk, beside those of pixels, that is held in memory as a whole.
    private static let heldLimit = 16 << 20
    /// The chunks that libpng gets beside the critical ones.
    private static let namesForPixels: Set<String> = ["tRNS", "iCCP", "sRGB"]

    private enum Stage {
        case signature, chunks
        /// Within an IDAT chunk and its checksum, of which so many bytes are to come.
        case pixels(Int)
        /// Within a chunk that nobody wants.
        case skipping(Int)
        case over
    }

    let options: ImageDecodeOptions
    private(set) var info: ImageInfo?
    private var header = PNGHeader()
    private var decoding: PNGDecoding?
    private var stage = Stage.signature

    init(options: ImageDecodeOptions) {
        self.options = options
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int {
        let reader = ByteReader(bytes)
        var offset = 0
        while let next = try step(reader, at: offset) { offset = next }
        return offset
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        guard let info else { return nil }
        return try decoding?.preview(info)
    }

    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage {
        _ = try read(bytes)
        guard let decoding else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        // Frames of an animation are known only now.
        let info = try header.info(limits: options.limits)
        self.info = info
        let isCut = if case .pixels = stage { true } else { false }
        return try decoding.finish(info, isCut: isCut)
    }

    /// - Returns: The offset of what is to be done next; nil where more bytes are needed for it.
    private mutating func step(_ reader: ByteReader, at offset: Int) throws(ImageCodingError) -> Int? {
        let available = reader.count - offset
        switch stage {
        case .signature:
            guard available >= 8 else { return nil }
            stage = .chunks
            return offset + 8
        case .chunks:
            return try beginChunk(reader, at: offset)
        case .pixels(let left):
            guard available > 0 else { return nil }
            let length = min(left, available)
            decoding?.push(reader.window(offset, length))
            stage = length == left ? .chunks : .pixels(left - length)
            return offset + length
        case .skipping(let left):
            guard available > 0 else { return nil }
            let length = min(left, available)
            stage = length == left ? .chunks : .skipping(left - length)
            return offset + length
        case .over:
            return nil
        }
    }

    private mutating func beginChunk(_ reader: ByteReader, at offset: Int) throws(ImageCodingError) -> Int? {
        guard reader.count - offset >= 8 else { return nil }
        guard let chunk = PNGChunk(reader, at: offset) else {
            // An impossible length; libpng has its own words for it.
            decoding?.push(reader.window(offset, 8))
            stage = .over
            return nil
        }
        if chunk.isPixels {
            _ = try header.read(chunk, in: reader, limits: options.limits)
            try startPixels(reader.window(offset, 8))
            stage = .pixels(chunk.length + 4)
            return chunk.content
        }
        let isForPixels = chunk.isCritical || Self.namesForPixels.contains(chunk.name)
        guard chunk.length <= Self.heldLimit, isForPixels || PNGHeader.names.contains(chunk.name) else {
            stage = .skipping(chunk.length + 12)
            return offset
        }
        guard let whole = reader.window(offset, chunk.length + 12) else { return nil }
        _ = try header.read(chunk, in: reader, limits: options.limits)
        if decoding == nil { decoding = try begin() }
        if isForPixels { decoding?.push(whole) }
        if chunk.isEnd { stage = .over }
        return chunk.end
    }

    /// Begins the decode, when the size is known.
    private mutating func begin() throws(ImageCodingError) -> PNGDecoding {
        info = try header.info(limits: options.limits)
        return try PNGDecoding(options: options)
    }

    /// Settles what all chunks before the pixels have to say.
    ///
    /// - Parameter head: The first bytes of an IDAT chunk.
    private mutating func startPixels(_ head: UnsafeRawBufferPointer?) throws(ImageCodingError) {
        let info = try header.info(limits: options.limits)
        self.info = info
        try decoding?.startPixels(info, colors: header.colors, head: head)
    }
}
