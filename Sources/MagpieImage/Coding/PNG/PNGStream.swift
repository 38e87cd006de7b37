import Foundation

/// A PNG whose bytes come in pieces: takes the chunks apart and gives libpng those that pixels need.
///
/// Text and other chunks are stepped over, so that they can neither inflate nor be held in memory.
struct PNGStream: PictureStream {
    /// The longest chunk, beside those of pixels, that is held in memory as a whole.
    private static let heldLimit = 16 << 20
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
    /// All bytes so far of a file that may be an animation, whose first frame need not be the picture that comes first.
    private var collected: Data? = Data()

    init(options: ImageDecodeOptions) {
        self.options = options
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int {
        let reader = ByteReader(bytes)
        var offset = 0
        while let next = try step(reader, at: offset) { offset = next }
        collected?.append(contentsOf: bytes.prefix(offset))
        return offset
    }

    func preview() throws(ImageCodingError) -> DecodedImage? {
        guard let info else { return nil }
        return try decoding?.preview(info)
    }

    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage {
        let used = try read(bytes)
        guard let decoding else { throw .truncated(.png, decodedRows: 0, ofRows: 0) }
        if let image = try firstFrame(rest: bytes.dropFirst(used)) { return image }
        // Frames of an animation are known only now.
        let info = try header.info(limits: options.limits)
        self.info = info
        let isCut = if case .pixels = stage { true } else { false }
        return try decoding.finish(info, isCut: isCut)
    }

    /// The first frame of an animation, which is what a decode of all bytes gives; nil for a still picture.
    private func firstFrame(rest: Slice<UnsafeRawBufferPointer>) throws(ImageCodingError) -> DecodedImage? {
        guard header.playCount != nil, var file = collected else { return nil }
        file.append(contentsOf: rest)
        let header = try PNGCoder.header(file, options.limits)
        return header.frames.isEmpty ? nil : try PNGCoder.animation(file, header, options).decoded(0)
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
        if chunk.has("IDAT") {
            _ = try header.read(chunk, limits: options.limits)
            decoding?.push(reader.window(offset, 8))
            try startPixels()
            stage = .pixels(chunk.length + 4)
            return chunk.contentStart
        }
        let isForHeader = PNGHeader.names.contains { chunk.has($0) }
        guard chunk.length <= Self.heldLimit, chunk.isForPixels || isForHeader else {
            stage = .skipping(chunk.length + PNGChunk.frameBytes)
            return offset
        }
        guard let whole = chunk.whole else { return nil }
        _ = try header.read(chunk, limits: options.limits)
        if decoding == nil { decoding = try begin() }
        if chunk.isForPixels { decoding?.push(whole) }
        if chunk.has("IEND") { stage = .over }
        return chunk.end
    }

    /// Begins the decode, when the size is known.
    private mutating func begin() throws(ImageCodingError) -> PNGDecoding {
        info = try header.info(limits: options.limits)
        return try PNGDecoding(options: options)
    }

    /// Settles what all chunks before the pixels have to say.
    private mutating func startPixels() throws(ImageCodingError) {
        let info = try header.info(limits: options.limits)
        self.info = info
        if header.playCount == nil { collected = nil }
        try decoding?.startPixels(info)
    }
}
