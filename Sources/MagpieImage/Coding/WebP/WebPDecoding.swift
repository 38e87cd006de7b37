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
        if container.isAnimated {
            let frame = try firstFrame()
            return try finish(frame, rows: info.height, target: target, colorSpace: colorSpace, missing: nil)
        }
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
        let bitmap = try buffer.finish(
            rows: rows,
            target: target,
            info: info,
            options: options,
            colorSpace: colorSpace
        )
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }

    /// Sets libwebp up to write straight RGBA into the buffer, and runs it.
    private func decode(
        into buffer: borrowing BitmapBuffer,
        _ run: (UnsafePointer<UInt8>, inout WebPDecoderConfig) -> VP8StatusCode
    ) -> VP8StatusCode {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0, let first = buffer.row(0),
            let bytes = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return VP8_STATUS_OUT_OF_MEMORY }
        if buffer.width != info.width || buffer.height != info.height {
            config.options.use_scaling = 1
            config.options.scaled_width = Int32(buffer.width)
            config.options.scaled_height = Int32(buffer.height)
        }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = first.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(buffer.bytesPerRow)
        config.output.u.RGBA.size = buffer.bytesPerRow * buffer.height
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

    /// The first frame of an animation, laid on its canvas.
    private func firstFrame() throws(ImageCodingError) -> BitmapBuffer {
        // libwebp keeps two canvases, and the frame is copied out of them.
        let (total, overflow) = info.pixelBytes.multipliedReportingOverflow(by: 3)
        try options.limits.check(bytes: overflow ? Int.max : total)
        var settings = WebPAnimDecoderOptions()
        var data = WebPData(bytes: reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: reader.count)
        guard WebPAnimDecoderOptionsInit(&settings) != 0 else { throw .outOfMemory(bytes: info.pixelBytes) }
        settings.color_mode = MODE_RGBA
        guard let decoder = WebPAnimDecoderNew(&data, &settings) else {
            throw failure(VP8_STATUS_BITSTREAM_ERROR, rows: 0)
        }
        defer { WebPAnimDecoderDelete(decoder) }
        var pixels: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        guard WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels else {
            throw failure(VP8_STATUS_BITSTREAM_ERROR, rows: 0)
        }
        let buffer = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        buffer.row(0)?.copyMemory(from: pixels, byteCount: buffer.storage.bytes.count)
        return buffer
    }

    private func failure(_ status: VP8StatusCode, rows: Int) -> ImageCodingError {
        if container.isTruncated || status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED {
            return .truncated(.webp, decodedRows: rows, ofRows: info.height)
        }
        if status == VP8_STATUS_OUT_OF_MEMORY {
            return .outOfMemory(bytes: info.pixelBytes)
        }
        return .corrupt(.webp, "its picture data is damaged")
    }
}
#endif
