#if WebP
import CWebP
import Foundation

/// One run of libwebp over one file.
struct WebPDecoding {
    /// How much larger than the target libwebp's own scaler, which averages, must leave a picture for the filter to make up
    /// for its softness: see Documentation/decisions/0003-resampling.md.
    private static let reserve = 3

    let reader: ByteReader
    let container: WebPContainer
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        let colorSpace = ICCProfile.colorSpace(ofRGB: container.profile)
        let source = intermediateSize(for: target)
        try options.limits.check(bytes: BitmapBuffer.byteCount(width: source.width, height: source.height) ?? Int.max)
        let buffer = try BitmapBuffer(
            width: source.width,
            height: source.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        let status = decode(into: buffer) { WebPDecode($0, reader.count, &$1) }
        if status == VP8_STATUS_OK {
            return try finish(buffer, rows: source.height, target: target, colorSpace: colorSpace, missing: nil)
        }
        guard options.allowsPartial else { throw failure(status, rows: 0) }
        return try decodePartially(status, target: target, colorSpace: colorSpace)
    }

    /// Opaque pictures are scaled down by a whole number first; with alpha, libwebp would mix colours that are not seen.
    private func intermediateSize(for target: PixelSize) -> PixelSize {
        let factor = min(info.width / max(1, target.width), info.height / max(1, target.height)) / Self.reserve
        guard factor > 1, !info.hasAlpha else { return info.storedSize }
        return PixelSize(width: info.width / factor, height: info.height / factor)
    }

    private func finish(
        _ buffer: consuming BitmapBuffer,
        rows: Int,
        target: PixelSize,
        colorSpace: ColorSpace,
        missing: Double?
    ) throws(ImageCodingError) -> DecodedImage {
        let size = PixelSize(width: buffer.width, height: buffer.height)
        if size == target, info.orientation == .up, missing == nil {
            if info.hasAlpha, options.alpha == .premultiplied {
                buffer.withUnsafeMutableBytes { Premultiplication.apply($0) }
                buffer.alpha = .premultiplied
            }
            return DecodedImage(bitmap: buffer.finish(colorSpace: colorSpace), info: info)
        }
        var sink = try RowSink(source: size, target: target, info: info, options: options)
        sink.append(buffer, rows: rows)
        return DecodedImage(bitmap: sink.finish(colorSpace: colorSpace), info: info, missingFraction: missing)
    }

    /// Sets libwebp up to write straight RGBA into the buffer, and runs it.
    private func decode(
        into buffer: borrowing BitmapBuffer,
        _ run: (UnsafePointer<UInt8>, inout WebPDecoderConfig) -> VP8StatusCode
    ) -> VP8StatusCode {
        guard let bytes = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            var config = WebPDecoderConfig(writingTo: buffer.storage.bytes, bytesPerRow: buffer.bytesPerRow)
        else { return VP8_STATUS_OUT_OF_MEMORY }
        if buffer.width != info.width || buffer.height != info.height {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(buffer.width)
            config.options.scaled_height = Int32(buffer.height)
        }
        return run(bytes, &config)
    }

    /// The rows that libwebp's incremental decoder gets out of a damaged file.
    private func decodePartially(
        _ status: VP8StatusCode,
        target: PixelSize,
        colorSpace: ColorSpace
    ) throws(ImageCodingError) -> DecodedImage {
        try options.limits.check(bytes: info.pixelBytes)
        let buffer = try BitmapBuffer(width: info.width, height: info.height, alpha: .straight)
        var rows: Int32 = 0
        _ = decode(into: buffer) { bytes, config in
            guard let decoder = WebPIDecode(nil, 0, &config) else { return VP8_STATUS_OUT_OF_MEMORY }
            defer { WebPIDelete(decoder) }
            let status = WebPIUpdate(decoder, bytes, reader.count)
            if WebPIDecGetRGB(decoder, &rows, nil, nil, nil) == nil { rows = 0 }
            return status
        }
        guard rows > 0 else { throw failure(status, rows: 0) }
        let missing = 1 - Double(rows) / Double(info.height)
        return try finish(buffer, rows: Int(rows), target: target, colorSpace: colorSpace, missing: missing)
    }

    private func failure(_ status: VP8StatusCode, rows: Int) -> ImageCodingError {
        .webp(status, isTruncated: container.isTruncated, rows: rows, of: info.storedSize)
    }
}
#endif
