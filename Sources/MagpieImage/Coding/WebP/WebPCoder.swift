#if WebP
public import Foundation

/// Reads and writes WebP with libwebp.
///
/// The EXIF orientation is applied. A thumbnail of an opaque still is scaled by the decoder part of the way, row by row, so
/// that the whole picture is never in memory.
public struct WebPCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// WebP.
    public var decodableFormats: [ImageFormat] { [.webp] }

    /// WebP.
    public var encodableFormats: [ImageFormat] { [.webp] }

    /// Walks the chunks: frames and durations are those that are in the file.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try Self.container(data, limits).info(limits: limits)
    }

    /// Decodes the picture, or the first frame of an animation.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let container = try Self.container(data, options.limits)
        if container.isAnimated { return try Self.animation(data, container, options).decoded(0) }
        return try WebPStream(options: options).decode(data)
    }

    /// Decodes rows while the bytes come; of an animation the first frame is shown once it is whole.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(WebPStream(options: options))
    }

    /// Opens an animation for all of its frames, or a still picture as one of one frame.
    public func frames(of data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> any ImageFrameSource {
        let container = try Self.container(data, options.limits)
        if container.isAnimated { return try Self.animation(data, container, options) }
        return StillFrame(try decode(data, options: options))
    }

    /// Writes a lossy WebP of ``ImageEncodeOptions/quality``, or a lossless one where asked.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the WebP coder does not write it") }
        return try WebPEncoding(bitmap: bitmap.converted(to: .rgba8), options: options).run()
    }

    /// Writes an animation; a source of one frame becomes a still picture.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard frames.frameCount > 1 else { return try encode(frames.frame(at: 0), as: format, options: options) }
        guard canEncode(format) else { throw .cannotEncode(format, "the WebP coder does not write it") }
        return try WebPAnimationEncoding(frames: frames, options: options).run()
    }

    private static func container(
        _ data: Data,
        _ limits: ImageLimits
    ) throws(ImageCodingError) -> WebPContainer {
        try data.withReader { (reader) throws(ImageCodingError) in try WebPContainer(reader, limits: limits) }
    }

    static func animation(
        _ data: Data,
        _ container: WebPContainer,
        _ options: ImageDecodeOptions
    ) throws(ImageCodingError) -> ComposedFrames {
        try ComposedFrames(WebPFrames(data, container, options: options), options: options)
    }
}
#endif
