import Foundation

/// The frames of an APNG as they are stored (PNG, third edition, §4.9).
///
/// libpng knows no animation: each frame is given to it as a PNG of its own.
struct APNGFrames: FrameParts {
    let info: ImageInfo
    let parts: [FramePart]
    private let data: Data
    private let header: PNGHeader
    private let options: ImageDecodeOptions

    init(_ data: Data, _ header: PNGHeader, options: ImageDecodeOptions) throws(ImageCodingError) {
        self.data = data
        self.header = header
        info = try header.info(limits: options.limits)
        parts = header.frames.map(\.part)
        self.options = ImageDecodeOptions(
            limits: options.limits,
            alpha: .straight,
            colorConversion: .asStored,
            allowsPartial: options.allowsPartial
        )
    }

    func paint(_ index: Int, on canvas: Canvas) throws(ImageCodingError) -> Double? {
        let part = parts[index]
        let file = try data.withReader { (reader) throws(ImageCodingError) in
            try picture(of: header.frames[index], in: reader)
        }
        let image = try PNGStream(options: options).decode(file)
        canvas.colorSpace = image.bitmap.colorSpace
        image.bitmap.withUnsafeBytes { canvas.lay($0, rows: part.rect.height, in: part) }
        return image.isPartial ? image.missingFraction : nil
    }

    /// A PNG of the frame alone: its size, the chunks that all frames share, its data.
    private func picture(of frame: PNGHeader.Frame, in reader: ByteReader) throws(ImageCodingError) -> Data {
        var chunks = PNGChunks()
        let (width, height) = (UInt32(frame.part.rect.width), UInt32(frame.part.rect.height))
        let format = (24..<29).compactMap(reader.byte)
        chunks.append("IHDR", PNGChunks.bytes(width) + PNGChunks.bytes(height) + format)
        var offset = PNGHeader.bytesBeforeChunks
        while let chunk = PNGChunk(reader, at: offset), !chunk.has("IDAT") {
            if chunk.isForPixels, let whole = chunk.whole { chunks.append(whole: whole) }
            offset = chunk.end
        }
        offset = frame.offset
        var pieces: [UnsafeRawBufferPointer] = []
        var missing = 0
        while let chunk = PNGChunk(reader, at: offset), !chunk.has("IEND") {
            offset = chunk.end
            if chunk.has("fcTL") && chunk.offset != frame.offset { break }
            guard let content = chunk.has("fdAT") ? chunk.content(from: 4) : chunk.has("IDAT") ? chunk.content() : nil
            else { continue }
            if !chunk.isIntact { throw .corrupt(.apng, "the checksum of a frame is wrong") }
            pieces.append(content)
            missing = chunk.missing
        }
        chunks.append("IDAT", pieces, missing: missing)
        if missing == 0 { chunks.append("IEND", []) }
        return chunks.data
    }
}
