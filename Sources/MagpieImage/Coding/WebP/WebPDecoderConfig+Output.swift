#if WebP
import CWebP

extension WebPDecoderConfig {
    /// Has libwebp write straight RGBA into memory; nil where the library is of another version.
    init?(writingTo memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int) {
        self.init()
        guard WebPInitDecoderConfig(&self) != 0 else { return nil }
        output.colorspace = MODE_RGBA
        output.is_external_memory = 1
        output.u.RGBA.rgba = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        output.u.RGBA.stride = Int32(truncatingIfNeeded: bytesPerRow)
        output.u.RGBA.size = memory.count
    }
}

extension ImageCodingError {
    /// What a status of libwebp's means for a picture of a size.
    static func webp(_ status: VP8StatusCode, isTruncated: Bool, rows: Int, of size: PixelSize) -> ImageCodingError {
        if isTruncated || status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED {
            return .truncated(.webp, decodedRows: rows, ofRows: size.height)
        }
        if status == VP8_STATUS_OUT_OF_MEMORY {
            return .outOfMemory(bytes: BitmapBuffer.byteCount(width: size.width, height: size.height) ?? Int.max)
        }
        return .corrupt(.webp, "its picture data is damaged")
    }
}
#endif
