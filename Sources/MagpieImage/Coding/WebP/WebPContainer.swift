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
    /// Whether the file is shorter than its RIFF header says.
    let isTruncated: Bool

    init(_ reader: ByteReader) throws(ImageCodingError) {
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
        orientation = Self.chunk("EXIF", demuxer) { EXIFReader.orientation($0) } ?? .up
        profile = Self.chunk("ICCP", demuxer) { Data($0) }
        guard width > 0, height > 0 else { throw .truncated(.webp, decodedRows: 0, ofRows: 0) }
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
