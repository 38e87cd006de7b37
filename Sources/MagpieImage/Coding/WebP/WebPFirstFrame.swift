#if WebP
import CWebP
import Foundation

/// The first frame of an animation, laid on its canvas, which is transparent elsewhere.
enum WebPFirstFrame {
    /// Decodes the frame; nil where it is not there as a whole, or damaged.
    static func canvas(
        _ reader: ByteReader,
        info: ImageInfo,
        limits: ImageLimits
    ) throws(ImageCodingError) -> BitmapBuffer? {
        var data = WebPData(bytes: reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: reader.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = WebPDemuxPartial(&data, &state) else { return nil }
        defer { WebPDemuxDelete(demuxer) }
        var frame = WebPIterator()
        defer { WebPDemuxReleaseIterator(&frame) }
        guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0, frame.complete != 0 else { return nil }
        try limits.check(bytes: info.pixelBytes)
        let canvas = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        guard decode(frame, onto: canvas) else { return nil }
        return canvas
    }

    private static func decode(_ frame: WebPIterator, onto canvas: borrowing BitmapBuffer) -> Bool {
        let (left, top) = (Int(frame.x_offset), Int(frame.y_offset))
        let (width, height) = (Int(frame.width), Int(frame.height))
        guard left >= 0, top >= 0, width > 0, height > 0, left + width <= canvas.width, top + height <= canvas.height,
            let row = canvas.row(top)?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        let stride = canvas.bytesPerRow
        let start = row + left * PixelFormat.rgba8.bytesPerPixel
        let space = (height - 1) * stride + width * PixelFormat.rgba8.bytesPerPixel
        return WebPDecodeRGBAInto(frame.fragment.bytes, frame.fragment.size, start, space, Int32(stride)) != nil
    }
}
#endif
