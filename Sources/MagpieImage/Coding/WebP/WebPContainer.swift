#if WebP
import CWebP
import Foundation

/// What the chunks of a WebP say without its pixels (RFC 9649), read with libwebp's demuxer.
struct WebPContainer {
    /// A frame, as its ANMF chunk describes it.
    struct Frame {
        let part: FramePart
        /// Milliseconds.
        let duration: Double
        /// Where its picture data stands in the file, or what there is of it.
        let data: Range<Int>
    }

    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isAnimated: Bool
    let isLossless: Bool
    let loopCount: Int
    /// The frames that are in the file; a still picture is one.
    let frames: [Frame]
    let orientation: ImageOrientation
    let profile: Data?
    /// Whether the file is shorter than its RIFF header says.
    let isTruncated: Bool

    /// Real files have less than ten that are no frames; the demuxer keeps a record of each.
    private static let otherChunkLimit = 10_000

    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        try Self.checkChunks(reader, limits: limits)
        isTruncated = (reader.littleEndian32(4) ?? Int.max) > reader.count - 8
        var data = WebPData(bytes: reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: reader.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = WebPDemuxPartial(&data, &state) else {
            throw isTruncated
                ? .truncated(.webp, decodedRows: 0, ofRows: 0) : .corrupt(.webp, "its chunks are out of order")
        }
        defer { WebPDemuxDelete(demuxer) }
        width = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH))
        height = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))
        let flags = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS)
        hasAlpha = flags & ALPHA_FLAG.rawValue != 0
        isAnimated = flags & ANIMATION_FLAG.rawValue != 0
        loopCount = Int(WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT))
        frames = Self.frames(demuxer, in: reader)
        isLossless = Self.isLossless(reader)
        orientation = Self.chunk("EXIF", demuxer) { EXIFReader.orientation($0) } ?? .up
        profile = Self.chunk("ICCP", demuxer) { Data($0) }
        guard width > 0, height > 0 else { throw .truncated(.webp, decodedRows: 0, ofRows: 0) }
    }

    /// Whether so much of a file has come that its kind is known, and the profile, which stands before the pixels.
    static func hasPixels(_ reader: ByteReader) -> Bool {
        guard let start = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(start, reader.count, &features) == VP8_STATUS_OK
    }

    /// Whether the first frame of an animation has come as a whole.
    static func hasFirstFrame(_ reader: ByteReader) -> Bool {
        var offset = 12
        while let size = reader.littleEndian32(offset + 4) {
            if reader.has("ANMF", at: offset) { return reader.window(offset, 8 + size) != nil }
            offset += 8 + size + size % 2
        }
        return false
    }

    /// Counts the chunks before the demuxer, which keeps many times the bytes that a small one takes, does.
    private static func checkChunks(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        // A simple file has one chunk, and the demuxer looks no further.
        guard reader.has("VP8X", at: 12), let length = reader.littleEndian32(4) else { return }
        var (frames, others) = (0, 0)
        var offset = 12
        while offset < 8 + length, let size = reader.littleEndian32(offset + 4) {
            if reader.has("ANMF", at: offset) {
                frames += 1
                try limits.check(frames: frames, of: .webp)
            } else {
                others += 1
                if others > otherChunkLimit { throw .corrupt(.webp, "it has more than \(otherChunkLimit) chunks") }
            }
            offset += 8 + size + size % 2
        }
    }

    private static func frames(_ demuxer: OpaquePointer, in reader: ByteReader) -> [Frame] {
        var frames: [Frame] = []
        var frame = WebPIterator()
        defer { WebPDemuxReleaseIterator(&frame) }
        guard let file = reader.bytes.baseAddress, WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { return [] }
        repeat {
            let start = frame.fragment.bytes.map { UnsafeRawPointer($0) - file } ?? 0
            // Without alpha there is nothing to blend.
            let blends = frame.blend_method == WEBP_MUX_BLEND && frame.has_alpha != 0
            let part = FramePart(
                rect: PixelRect(
                    x: Int(frame.x_offset),
                    y: Int(frame.y_offset),
                    width: Int(frame.width),
                    height: Int(frame.height)
                ),
                blend: blends ? .over : .source,
                disposal: frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? .clear : .keep
            )
            let data = start..<(start + frame.fragment.size)
            frames.append(Frame(part: part, duration: Double(frame.duration), data: data))
        } while WebPDemuxNextFrame(&frame) != 0
        return frames
    }

    private static func isLossless(_ reader: ByteReader) -> Bool {
        guard let start = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(start, reader.count, &features) == VP8_STATUS_OK && features.format == 2
    }

    private static func chunk<R>(
        _ name: String,
        _ demuxer: OpaquePointer,
        _ body: (UnsafeRawBufferPointer) -> R?
    ) -> R? {
        var iterator = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
        return body(UnsafeRawBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
    }
}
#endif
