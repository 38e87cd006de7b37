#if WebP
public import Foundation

/// Reads and writes WebP with libwebp.
///
/// Of an animation the first frame is read, as it is shown. The EXIF orientation is applied. A thumbnail of an opaque picture
/// is scaled by the decoder part of the way, row by row, so that the whole picture is never in memory.
public struct WebPCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// WebP.
    public var decodableFormats: [ImageFormat] { [.webp] }

    /// WebP.
    public var encodableFormats: [ImageFormat] { [.webp] }

    /// Walks the chunks: frames and durations are those that are in the file.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try Self.info(WebPContainer(reader, limits: limits), limits: limits)
        }
    }

    /// EXIF and XMP, from their chunks.
    public func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata {
        try data.withReader { (reader) throws(ImageCodingError) in
            let container = try WebPContainer(reader, limits: .standard)
            return ImageMetadata(exif: container.exif, xmp: container.xmp)
        }
    }

    /// Decodes the picture, or the first frame of an animation.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try data.withReader { (reader) throws(ImageCodingError) in
            let container = try WebPContainer(reader, limits: options.limits)
            let info = try Self.info(container, limits: options.limits)
            return try WebPDecoding(reader: reader, container: container, info: info, options: options).run()
        }
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

    private static func info(_ container: WebPContainer, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: container.width, height: container.height)
        return ImageInfo(
            format: .webp,
            width: container.width,
            height: container.height,
            orientation: container.orientation,
            hasAlpha: container.hasAlpha,
            frameCount: container.isAnimated ? container.frameDurations.count : 1,
            loopCount: container.isAnimated ? container.loopCount : nil,
            frameDurations: container.isAnimated ? container.frameDurations : [],
            colorSpace: container.isLossless ? "rgb" : "ycbcr"
        )
    }
}
#endif
