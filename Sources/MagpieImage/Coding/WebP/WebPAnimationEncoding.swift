#if WebP
import CWebP
import Foundation

/// Writes an animation with libwebp, which finds out what each frame changes.
struct WebPAnimationEncoding {
    let frames: any ImageFrameSource
    let options: ImageEncodeOptions

    func run() throws(ImageCodingError) -> Data {
        let first = try frames.frame(at: 0)
        var settings = WebPAnimEncoderOptions()
        guard WebPAnimEncoderOptionsInit(&settings) != 0 else { throw Self.otherVersion }
        settings.anim_params.loop_count = Int32(clamping: frames.loopCount)
        guard let encoder = WebPAnimEncoderNew(Int32(clamping: first.width), Int32(clamping: first.height), &settings)
        else { throw .cannotEncode(.webp, "libwebp cannot write \(first.size) pixels") }
        defer { WebPAnimEncoderDelete(encoder) }
        var time = 0.0
        for index in 0..<frames.frameCount {
            let frame = index == 0 ? first : try frames.frame(at: index)
            guard frame.size == first.size else { throw .cannotEncode(.webp, "its frames are of different sizes") }
            try add(frame, at: time, to: encoder)
            time += frames.info.frameDurations.indices.contains(index) ? frames.info.frameDurations[index] : 0
        }
        guard WebPAnimEncoderAdd(encoder, nil, Self.timestamp(time), nil) != 0 else { throw failure(encoder) }
        return try assemble(encoder)
    }

    private func add(
        _ frame: Bitmap,
        at time: Double,
        to encoder: OpaquePointer
    ) throws(ImageCodingError) {
        var (config, picture) = try WebPEncoding(bitmap: frame, options: options).picture()
        defer { WebPPictureFree(&picture) }
        guard WebPAnimEncoderAdd(encoder, &picture, Self.timestamp(time), &config) != 0 else { throw failure(encoder) }
    }

    private func assemble(_ encoder: OpaquePointer) throws(ImageCodingError) -> Data {
        var file = WebPData()
        defer { WebPDataClear(&file) }
        guard WebPAnimEncoderAssemble(encoder, &file) != 0, let bytes = file.bytes else { throw failure(encoder) }
        return Data(bytes: bytes, count: file.size)
    }

    private static func timestamp(_ milliseconds: Double) -> Int32 {
        Int32(exactly: milliseconds.rounded()) ?? Int32.max
    }

    private static let otherVersion = ImageCodingError.cannotEncode(.webp, "the library is of another version")

    private func failure(_ encoder: OpaquePointer) -> ImageCodingError {
        .cannotEncode(.webp, WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "libwebp gave up")
    }
}
#endif
