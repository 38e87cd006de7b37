#if WebP
import CWebP
import Foundation

/// Writes one bitmap with libwebp.
struct WebPEncoding {
    /// Effort 0…9 of the lossless mode; beyond it time doubles for a per cent.
    private static let losslessEffort: Int32 = 4

    let bitmap: Bitmap
    let options: ImageEncodeOptions

    func run() throws(ImageCodingError) -> Data {
        var (config, picture) = try picture()
        defer { WebPPictureFree(&picture) }
        let file = try encode(&picture, &config)
        guard case .icc(let profile) = bitmap.colorSpace else { return file }
        return try attach(profile, to: file)
    }

    /// The bitmap as libwebp takes it, to be freed by the caller, and how to write it.
    func picture() throws(ImageCodingError) -> (WebPConfig, WebPPicture) {
        guard bitmap.width <= WEBP_MAX_DIMENSION, bitmap.height <= WEBP_MAX_DIMENSION else {
            throw .cannotEncode(.webp, "a side is longer than \(WEBP_MAX_DIMENSION) pixels")
        }
        var config = WebPConfig()
        var picture = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
            throw .cannotEncode(.webp, "the library is of another version")
        }
        config.quality = Float(options.percent)
        if options.isLossless { WebPConfigLosslessPreset(&config, Self.losslessEffort) }
        picture.width = Int32(bitmap.width)
        picture.height = Int32(bitmap.height)
        picture.use_argb = options.isLossless ? 1 : 0
        guard importPixels(into: &picture) else {
            WebPPictureFree(&picture)
            throw .outOfMemory(bytes: bitmap.byteCount)
        }
        return (config, picture)
    }

    private func importPixels(into picture: inout WebPPicture) -> Bool {
        let stride = Int32(bitmap.bytesPerRow)
        if bitmap.alpha == .premultiplied {
            return bitmap.straightRGBA().withUnsafeBytes { bytes in
                WebPPictureImportRGBA(&picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride) != 0
            }
        }
        return bitmap.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return bitmap.alpha == .opaque
                ? WebPPictureImportRGBX(&picture, start, stride) != 0
                : WebPPictureImportRGBA(&picture, start, stride) != 0
        }
    }

    private func encode(
        _ picture: inout WebPPicture,
        _ config: inout WebPConfig
    ) throws(ImageCodingError) -> Data {
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isDone = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&config, &picture) != 0
        }
        guard isDone, let bytes = writer.mem else {
            throw .cannotEncode(.webp, "libwebp gave up with error \(picture.error_code.rawValue)")
        }
        return Data(bytes: bytes, count: writer.size)
    }

    /// Puts an ICC profile into a finished file.
    private func attach(_ profile: Data, to file: Data) throws(ImageCodingError) -> Data {
        guard let mux = WebPMuxNew() else { throw .outOfMemory(bytes: file.count) }
        defer { WebPMuxDelete(mux) }
        var assembled = WebPData()
        defer { WebPDataClear(&assembled) }
        let isDone = Self.withData(file) { image in
            Self.withData(profile) { profile in
                WebPMuxSetImage(mux, &image, 1) == WEBP_MUX_OK
                    && WebPMuxSetChunk(mux, "ICCP", &profile, 1) == WEBP_MUX_OK
                    && WebPMuxAssemble(mux, &assembled) == WEBP_MUX_OK
            }
        }
        guard isDone, let bytes = assembled.bytes else {
            throw .cannotEncode(.webp, "its ICC profile cannot be stored")
        }
        return Data(bytes: bytes, count: assembled.size)
    }

    private static func withData(_ data: Data, _ body: (inout WebPData) -> Bool) -> Bool {
        data.withUnsafeBytes { bytes in
            var view = WebPData(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
            return body(&view)
        }
    }
}
#endif
