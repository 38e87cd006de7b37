#if WebP
import CWebP
import Foundation

/// What the chunks of a WebP say without its pixels (RFC 9649), read with libwebp's demuxer.
struct WebPContainer {
    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isAnimated: Bool
    let isLossless: Bool
    let loopCount: Int
    /// Milliseconds of each frame that is in the file.
    let frameDurations: [Double]
    let orientation: ImageOrientation
    let profile: Data?
    let exif: Data?
    let xmp: Data?
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
        frameDurations = Self.frameDurations(demuxer)
        isLossless = Self.isLossless(reader)
        exif = Self.chunk("EXIF", demuxer) { Data($0) }
        orientation = exif?.withUnsafeBytes { EXIFReader.orientation($0) } ?? .up
        xmp = Self.chunk("XMP ", demuxer) { Data($0) }
        profile = Self.chunk("ICCP", demuxer) { Data($0) }
        guard width > 0, height > 0 else { throw .truncated(.webp, decodedRows: 0, ofRows: 0) }
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

    private static func frameDurations(_ demuxer: OpaquePointer) -> [Double] {
        var durations: [Double] = []
        var frame = WebPIterator()
        defer { WebPDemuxReleaseIterator(&frame) }
        guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { return [] }
        repeat {
            durations.append(Double(frame.duration))
        } while WebPDemuxNextFrame(&frame) != 0
        return durations
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
