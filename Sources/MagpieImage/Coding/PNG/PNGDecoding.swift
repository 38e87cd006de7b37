import CMagpiePNG
import Foundation

/// One run of libpng over the chunks of one file.
final class PNGDecoding {
    /// What a single chunk (in practice an ICC profile) may inflate to.
    private static let chunkLimit = 16 << 20
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let options: ImageDecodeOptions
    private var file: OpaquePointer?
    private var hasFailed = false
    private var width = 0
    private var hasAlphaChannel = false
    /// That of the rows.
    private var format = PixelFormat.rgba8
    private var colorSpace = ColorSpace.sRGB
    private var sink: RowSink?
    /// All of an interlaced picture, which is whole only after its last pass.
    private var canvas: BitmapBuffer?
    /// A number that grows whenever there is more to see.
    private var progress = 0
    private var progressShown = 0

    init(options: ImageDecodeOptions) throws(ImageCodingError) {
        self.options = options
        let takeRow: magpie_png_row_taker = { context, row in
            guard let context, let row else { return }
            Unmanaged<PNGDecoding>.fromOpaque(context).takeUnretainedValue().take(row)
        }
        file = magpie_png_open(Self.chunkLimit, takeRow, Unmanaged.passUnretained(self).toOpaque())
        if file == nil { throw .outOfMemory(bytes: Self.chunkLimit) }
        Self.signature.withUnsafeBytes { push($0) }
    }

    deinit {
        if let file { magpie_png_close(file) }
    }

    /// Works on bytes of the file; behind an error they are ignored.
    func push(_ bytes: UnsafeRawBufferPointer?) {
        guard let bytes, !hasFailed else { return }
        hasFailed = !magpie_png_push(file, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        if canvas != nil { progress += bytes.count }
    }

    /// Takes the head of an IDAT chunk; with the first one makes ready for rows.
    func startPixels(
        _ info: ImageInfo,
        colors: PNGColors,
        head: UnsafeRawBufferPointer?
    ) throws(ImageCodingError) {
        let isFirst = sink == nil && canvas == nil
        if isFirst, options.wantsDeepRows(of: info, colorSpace: colors.codePoints ?? .sRGB) {
            magpie_png_keep_16_bits(file)
            format = .rgba16
        }
        push(head)
        guard isFirst, !hasFailed else { return }
        width = info.width
        colorSpace = colors.colorSpace(profile: profile)
        hasAlphaChannel = magpie_png_channels(file) == 4
        guard info.isProgressive else {
            sink = try makeSink(info)
            return
        }
        try options.limits.check(
            bytes: BitmapBuffer.byteCount(width: info.width, height: info.height, format: format) ?? Int.max
        )
        let canvas = try BitmapBuffer(width: info.width, height: info.height, format: format, alpha: .straight)
        magpie_png_set_canvas(file, canvas.row(0)?.assumingMemoryBound(to: UInt8.self), canvas.bytesPerRow)
        self.canvas = consume canvas
    }

    /// The picture so far; nil where nothing has changed.
    func preview(_ info: ImageInfo) throws(ImageCodingError) -> DecodedImage? {
        guard progress > progressShown else { return nil }
        if canvas != nil {
            guard let bitmap = try pourCanvas(info) else { return nil }
            progressShown = progress
            return DecodedImage(bitmap: bitmap, info: info, missingFraction: 1)
        }
        guard let rows = sink?.rowsTaken, let bitmap = sink?.snapshot() else { return nil }
        progressShown = progress
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: 1 - Double(rows) / Double(info.height))
    }

    /// The picture, when all bytes were pushed.
    ///
    /// - Parameter isCut: Whether the file ended within an IDAT chunk.
    func finish(_ info: ImageInfo, isCut: Bool) throws(ImageCodingError) -> DecodedImage {
        let hasAllRows = magpie_png_has_all_rows(file)
        // That the end marker is missing, behind all pixels, loses nothing.
        let isWhole = hasAllRows && !isCut && !hasFailed
        let rows = canvas == nil ? sink?.rowsTaken ?? 0 : hasAllRows ? info.height : 0
        if !isWhole, !options.allowsPartial || progress == 0 { throw failure(info, rows: rows) }
        let bitmap = canvas == nil ? sink.take()?.finish() : try pourCanvas(info)
        guard let bitmap else { throw failure(info, rows: rows) }
        let missing = isWhole ? nil : 1 - Double(rows) / Double(info.height)
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }

    private func makeSink(_ info: ImageInfo) throws(ImageCodingError) -> RowSink {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        return try RowSink(
            source: info.storedSize,
            target: target,
            info: info,
            options: options,
            format: format,
            colorSpace: colorSpace
        )
    }

    /// Takes a row of a picture that is not interlaced, on its way through libpng.
    private func take(_ row: UnsafePointer<UInt8>) {
        let (width, hasAlphaChannel, format) = (width, hasAlphaChannel, format)
        progress += 1
        sink?.append { target in
            if hasAlphaChannel {
                target.update(from: row, count: width * format.bytesPerPixel)
            } else if format.isDeep {
                Self.addDeepAlpha(row, to: target, width: width)
            } else {
                Self.addAlpha(row, to: target, width: width)
            }
        }
    }

    /// RGB to opaque RGBA.
    private static func addAlpha(_ row: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, width: Int) {
        let source = UnsafeRawPointer(row)
        let pixels = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
        // Four bytes at a time, of which the last is the next pixel's; there is none behind the last pixel.
        for index in 0..<(width - 1) {
            let pixel = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 3 * index, as: UInt32.self))
            pixels[index] = UInt32(littleEndian: pixel | 0xFF00_0000)
        }
        let last = 3 * (width - 1)
        let pixel = UInt32(row[last]) | UInt32(row[last + 1]) << 8 | UInt32(row[last + 2]) << 16
        pixels[width - 1] = UInt32(littleEndian: pixel | 0xFF00_0000)
    }

    /// RGB of 16 bits to opaque RGBA.
    private static func addDeepAlpha(_ row: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, width: Int) {
        let source = UnsafeRawPointer(row)
        let pixels = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt16.self)
        for index in 0..<width {
            for channel in 0..<3 {
                let offset = 6 * index + 2 * channel
                pixels[4 * index + channel] = source.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            }
            pixels[4 * index + 3] = UInt16.max
        }
    }

    /// The canvas as a picture, without the rows that not even the first pass has reached.
    private func pourCanvas(_ info: ImageInfo) throws(ImageCodingError) -> Bitmap? {
        let rows = Int(magpie_png_canvas_rows(file))
        guard rows > 0 else { return nil }
        var sink = try makeSink(info)
        if let canvas = canvas.take() {
            sink.append(canvas, rows: rows)
            self.canvas = consume canvas
        }
        return sink.finish()
    }

    private var profile: Data? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard magpie_png_profile(file, &bytes, &count), let bytes else { return nil }
        return Data(bytes: bytes, count: count)
    }

    private func failure(_ info: ImageInfo, rows: Int) -> ImageCodingError {
        guard hasFailed else { return .truncated(.png, decodedRows: rows, ofRows: info.height) }
        let message = file.map { String(cString: magpie_png_message($0)) } ?? ""
        return .outOfMemory(toldBy: message, bytes: info.pixelBytes) ?? .corrupt(.png, message)
    }
}
