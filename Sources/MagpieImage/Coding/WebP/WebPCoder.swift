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
            try WebPContainer(reader, limits: limits).info(limits: limits)
        }
    }

    /// Decodes the picture, or the first frame of an animation.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try WebPStream(options: options).decode(data)
    }

    /// Decodes rows while the bytes come; of an animation the first frame is shown once it is whole.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(WebPStream(options: options))
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
}
#endif
