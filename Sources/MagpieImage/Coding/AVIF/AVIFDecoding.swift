#if AVIF
import CAVIF
import Foundation

/// A libavif decoder over one file; one thread at a time.
final class AVIFDecoding: FrameDecoder {
    /// The most pixels that libavif decodes, whatever is asked of it.
    private static let mostPixels = Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT)

    let info: ImageInfo
    private let header: HEIFHeader
    private let options: ImageDecodeOptions
    private let source: AVIFSource
    private let decoder: UnsafeMutablePointer<avifDecoder>

    /// Reads the header, and lets libavif read it too.
    init(_ file: FileBytes, options: ImageDecodeOptions) throws(ImageCodingError) {
        guard !file.bytes.isEmpty else { throw .empty }
        let header = try HEIFHeader(ByteReader(file.bytes), format: .avif, limits: options.limits)
        guard let decoder = avifDecoderCreate() else { throw .outOfMemory(bytes: 0) }
        self.header = header
        self.options = options
        self.decoder = decoder
        info = header.info
        source = AVIFSource(file, isIncremental: options.allowsPartial)
        try checkSizes()
        set(decoder)
        let result = avifDecoderParse(decoder)
        guard result == AVIF_RESULT_OK else { throw failure(result) }
        guard Int(decoder.pointee.imageCount) == info.frameCount || info.frameCount == 1,
            Int(decoder.pointee.image.pointee.width) == info.width,
            Int(decoder.pointee.image.pointee.height) == info.height
        else { throw .corrupt(.avif, "its boxes contradict one another") }
    }

    deinit {
        avifDecoderDestroy(decoder)
    }

    private func checkSizes() throws(ImageCodingError) {
        let (pixels, overflow) = info.width.multipliedReportingOverflow(by: info.height)
        if overflow || pixels > Self.mostPixels {
            throw .tooLarge(width: info.width, height: info.height, limitPixels: Self.mostPixels)
        }
        // The planes of the codec, and the RGBA that is made of them.
        let planes = (info.hasAlpha ? 4 : 3) * (info.bitsPerChannel > 8 ? 2 : 1)
        try options.limits.check(bytes: pixels * (planes + 4))
    }

    private func set(_ decoder: UnsafeMutablePointer<avifDecoder>) {
        // A sequence is shown where the header found one, whatever the library would prefer.
        decoder.pointee.requestedSource =
            header.track == nil ? AVIF_DECODER_SOURCE_PRIMARY_ITEM : AVIF_DECODER_SOURCE_TRACKS
        decoder.pointee.maxThreads = 1
        decoder.pointee.ignoreExif = 1
        decoder.pointee.ignoreXMP = 1
        decoder.pointee.allowIncremental = options.allowsPartial ? 1 : 0
        decoder.pointee.imageSizeLimit = UInt32(Self.mostPixels)
        decoder.pointee.imageCountLimit = UInt32(clamping: max(1, options.limits.maximumFrames))
        // Browsers take files without `pixi`, which many writers left out, and forgive a useless clean aperture.
        decoder.pointee.strictFlags = AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue
        source.install(in: decoder)
    }

    /// Decodes a frame.
    func image(at index: Int) throws(ImageCodingError) -> DecodedImage {
        guard index >= 0, index < info.frameCount else { throw .noSuchFrame(index, of: info.frameCount) }
        let result = avifDecoderNthImage(decoder, UInt32(index))
        let rows = Int(avifDecoderDecodedRowCount(decoder))
        let isWhole = result == AVIF_RESULT_OK
        guard isWhole || options.allowsPartial && rows > 0 else { throw failure(result, rows: rows) }
        let pixels = try rgba()
        return try pixels.decoded(
            info,
            options: options,
            colorSpace: header.colorSpace,
            rows: isWhole ? nil : rows,
            missing: isWhole ? nil : 1 - Double(min(rows, info.height)) / Double(info.height)
        )
    }

    /// The picture that the decoder has, as RGBA of 8 bits, multiplied by alpha where it is stored so.
    private func rgba() throws(ImageCodingError) -> BitmapBuffer {
        guard let image = decoder.pointee.image else { throw .corrupt(.avif, "it has no picture") }
        let isPremultiplied = image.pointee.alphaPremultiplied != 0
        let buffer = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: !info.hasAlpha ? .opaque : isPremultiplied ? .premultiplied : .straight
        )
        // Frames of a sequence might be of other sizes than the track says.
        guard image.pointee.width == UInt32(buffer.width), image.pointee.height == UInt32(buffer.height),
            let first = buffer.row(0)
        else { throw .corrupt(.avif, "its frames are of different sizes") }
        var target = avifRGBImage()
        avifRGBImageSetDefaults(&target, image)
        target.depth = 8
        target.format = AVIF_RGB_FORMAT_RGBA
        target.alphaPremultiplied = image.pointee.alphaPremultiplied
        // libyuv takes gray of a limited range for full.
        target.avoidLibYUV = image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? 1 : 0
        target.pixels = first.assumingMemoryBound(to: UInt8.self)
        target.rowBytes = UInt32(buffer.bytesPerRow)
        let result = avifImageYUVToRGB(image, &target)
        guard result == AVIF_RESULT_OK else { throw failure(result) }
        return buffer
    }

    private func failure(_ result: avifResult, rows: Int = 0) -> ImageCodingError {
        switch result {
        case AVIF_RESULT_OUT_OF_MEMORY:
            return .outOfMemory(bytes: info.pixelBytes)
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_WAITING_ON_IO:
            return .truncated(.avif, decodedRows: rows, ofRows: info.height)
        default:
            if header.isCutOff { return .truncated(.avif, decodedRows: rows, ofRows: info.height) }
            return .corrupt(
                .avif,
                avifResultToString(result).map { String(cString: $0).lowercased() } ?? "error \(result.rawValue)"
            )
        }
    }
}
#endif
