#if WebP
import CWebP
import Foundation

/// One run of libwebp over the pixels of one still, as far as its bytes have come.
final class WebPDecoding {
    /// How much larger than the target libwebp's own scaler, which averages, must leave a picture for the filter to make up
    /// for its softness.
    ///
    /// Large pictures, where the time counts, are softer to begin with. See Documentation/decisions/0003-resampling.md.
    private static func reserve(_ info: ImageInfo) -> Int { info.width * info.height < 4_000_000 ? 3 : 2 }

    private let options: ImageDecodeOptions
    private let size: PixelSize
    /// The rows as libwebp writes them, straight RGBA; nil when they were given away.
    private var buffer: BitmapBuffer?
    /// libwebp keeps a reference to it.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private var status = VP8_STATUS_SUSPENDED
    private var rows = 0
    private var rowsShown = 0

    init(info: ImageInfo, options: ImageDecodeOptions) throws(ImageCodingError) {
        let size = Self.intermediateSize(info, options)
        try options.limits.check(bytes: BitmapBuffer.byteCount(width: size.width, height: size.height) ?? Int.max)
        let buffer = try BitmapBuffer(
            width: size.width,
            height: size.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        guard var settings = WebPDecoderConfig(writingTo: buffer.storage.bytes, bytesPerRow: buffer.bytesPerRow) else {
            throw .outOfMemory(bytes: info.pixelBytes)
        }
        // One thread beside this one, for pictures wider than 511 pixels: it filters rows while this one reads on.
        settings.options.use_threads = 1
        if size != info.storedSize {
            settings.options.use_scaling = 1
            settings.options.scaled_width = Int32(size.width)
            settings.options.scaled_height = Int32(size.height)
        }
        let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        config.initialize(to: settings)
        guard let decoder = WebPIDecode(nil, 0, config) else {
            config.deallocate()
            throw .outOfMemory(bytes: info.pixelBytes)
        }
        self.options = options
        self.size = size
        self.buffer = consume buffer
        self.config = config
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        config.deallocate()
    }

    /// Whether this decode serves the picture, of which more may be known by now than at its beginning.
    func fits(_ info: ImageInfo) -> Bool {
        size == Self.intermediateSize(info, options)
    }

    /// Goes as far as the file, read from its beginning, has come.
    func update(_ reader: ByteReader) {
        guard status == VP8_STATUS_SUSPENDED else { return }
        status = WebPIUpdate(decoder, reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), reader.count)
        var rows: Int32 = 0
        if WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil { self.rows = Int(rows) }
        if status == VP8_STATUS_OK { self.rows = size.height }
    }

    /// The rows so far; nil where there are no new ones.
    func preview(_ info: ImageInfo, _ colorSpace: ColorSpace) throws(ImageCodingError) -> DecodedImage? {
        guard rows > rowsShown, let buffer = buffer.take() else { return nil }
        rowsShown = rows
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        var sink = try RowSink(source: size, target: target, info: info, options: options, colorSpace: colorSpace)
        sink.append(buffer, rows: rows)
        self.buffer = consume buffer
        let missing = 1 - Double(rows) / Double(size.height)
        return DecodedImage(bitmap: sink.finish(), info: info, missingFraction: missing)
    }

    /// The picture, when all bytes have come.
    func finish(
        _ info: ImageInfo,
        _ colorSpace: ColorSpace,
        isTruncated: Bool
    ) throws(ImageCodingError) -> DecodedImage {
        let isWhole = status == VP8_STATUS_OK
        guard isWhole || options.allowsPartial && rows > 0, let buffer = buffer.take() else {
            throw failure(info, isTruncated: isTruncated)
        }
        let missing = isWhole ? nil : 1 - Double(rows) / Double(size.height)
        let bitmap = try buffer.finish(
            rows: rows,
            target: options.storedTarget(for: info.storedSize, orientation: info.orientation),
            info: info,
            options: options,
            colorSpace: colorSpace
        )
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }

    /// Opaque pictures are scaled down by a whole number first; with alpha, libwebp would mix colours that are not seen.
    private static func intermediateSize(_ info: ImageInfo, _ options: ImageDecodeOptions) -> PixelSize {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        let factor = min(info.width / max(1, target.width), info.height / max(1, target.height)) / reserve(info)
        guard factor > 1, !info.hasAlpha else { return info.storedSize }
        return PixelSize(width: info.width / factor, height: info.height / factor)
    }

    private func failure(_ info: ImageInfo, isTruncated: Bool) -> ImageCodingError {
        .webp(status, isTruncated: isTruncated, rows: rows * info.height / size.height, of: info.storedSize)
    }
}
#endif
