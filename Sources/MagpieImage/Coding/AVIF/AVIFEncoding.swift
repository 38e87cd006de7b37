#if AVIF
import CAVIF
import Foundation

/// A libavif encoder that takes frames one after the other.
final class AVIFEncoding {
    /// 0 (slowest) to 10, the library's own default for files: slower ones gain a few per cent.
    private static let speed: Int32 = 6
    /// The quantizers of AV1 as libavif counts them: 0 is lossless, 63 the coarsest.
    private static let coarsest = 63.0
    /// Durations are counted in microseconds, so that none is rounded visibly.
    private static let timescale: UInt64 = 1_000_000
    /// Frames from one key frame to the next, which bounds the cost of going to any frame.
    private static let keyframeInterval: Int32 = 30

    private let encoder: UnsafeMutablePointer<avifEncoder>
    private let isLossless: Bool

    init(options: ImageEncodeOptions) throws(ImageCodingError) {
        guard let encoder = avifEncoderCreate() else { throw .outOfMemory(bytes: 0) }
        self.encoder = encoder
        isLossless = options.isLossless
        let quantizer = isLossless ? 0 : Int32(((100 - options.percent) * Self.coarsest / 100).rounded())
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = Self.speed
        encoder.pointee.timescale = Self.timescale
        encoder.pointee.keyframeInterval = Self.keyframeInterval
        encoder.pointee.minQuantizer = quantizer
        encoder.pointee.maxQuantizer = quantizer
        encoder.pointee.minQuantizerAlpha = quantizer
        encoder.pointee.maxQuantizerAlpha = quantizer
    }

    deinit { avifEncoderDestroy(encoder) }

    /// Adds a still picture, or with a duration a frame of a sequence.
    func add(_ bitmap: Bitmap, duration: Duration? = nil) throws(ImageCodingError) {
        guard let width = UInt32(exactly: bitmap.width), let height = UInt32(exactly: bitmap.height),
            max(width, height) <= UInt32(UInt16.max),
            let image = avifImageCreate(
                width,
                height,
                8,
                isLossless ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
            )
        else { throw .cannotEncode(.avif, "a side is longer than \(UInt16.max) pixels") }
        defer { avifImageDestroy(image) }
        describe(image, bitmap)
        try fill(image, bitmap)
        let ticks = duration.map { max(1, UInt64(clamping: $0.wholeMicroseconds)) }
        let flags = ticks == nil ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE
        let result = avifEncoderAddImage(encoder, image, ticks ?? 1, flags.rawValue)
        guard result == AVIF_RESULT_OK else { throw failure(result) }
    }

    /// Ends the file.
    func finish() throws(ImageCodingError) -> Data {
        var output = avifRWData()
        defer { avifRWDataFree(&output) }
        let result = avifEncoderFinish(encoder, &output)
        guard result == AVIF_RESULT_OK, let bytes = output.data else { throw failure(result) }
        return Data(bytes: bytes, count: output.size)
    }

    private func describe(_ image: UnsafeMutablePointer<avifImage>, _ bitmap: Bitmap) {
        image.pointee.yuvRange = AVIF_RANGE_FULL
        image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
        image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
        // Lossless is green, blue and red as they are; any other matrix would round.
        let matrix = isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601
        image.pointee.matrixCoefficients = avifMatrixCoefficients(matrix)
        guard case .icc(let profile) = bitmap.colorSpace else { return }
        profile.withUnsafeBytes { bytes in
            avifImageSetProfileICC(image, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_UNSPECIFIED)
        image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED)
    }

    private func fill(_ image: UnsafeMutablePointer<avifImage>, _ bitmap: Bitmap) throws(ImageCodingError) {
        var source = avifRGBImage()
        avifRGBImageSetDefaults(&source, image)
        source.format = AVIF_RGB_FORMAT_RGBA
        source.ignoreAlpha = bitmap.alpha == .opaque ? 1 : 0
        source.alphaPremultiplied = 0
        source.rowBytes = UInt32(bitmap.width * 4)
        // libavif only reads from it.
        let result = bitmap.straightRGBA().withUnsafeBytes { bytes in
            source.pixels = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            return avifImageRGBToYUV(image, &source)
        }
        guard result == AVIF_RESULT_OK else { throw failure(result) }
    }

    private func failure(_ result: avifResult) -> ImageCodingError {
        .cannotEncode(
            .avif,
            avifResultToString(result).map { String(cString: $0).lowercased() } ?? "error \(result.rawValue)"
        )
    }
}
#endif
