public import Foundation

/// Reads and writes PNG with libpng.
///
/// Reads every colour type and depth; 16 bits are rounded to 8 unless ``PixelFormat/rgba16`` is asked for. Of an animated PNG the default image is read. Text and other
/// chunks that pixels do not need are skipped without being inflated. The EXIF orientation is applied.
public struct PNGCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// PNG, and APNG as a still.
    public var decodableFormats: [ImageFormat] { [.png, .apng] }

    /// PNG.
    public var encodableFormats: [ImageFormat] { [.png] }

    /// Walks the chunks: frames and durations of an APNG are those that are there, not those that it promises.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try PNGHeader(reader, limits: limits).info(limits: limits)
        }
    }

    /// EXIF and XMP, also behind the pixels; compressed XMP is left alone.
    public func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata {
        try data.withReader { (reader) throws(ImageCodingError) in PNGMetadata.read(reader) }
    }

    /// Decodes the picture, or the default image of an APNG.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try PNGStream(options: options).decode(data)
    }

    /// Decodes while the bytes come: rows, and of an interlaced picture the whole, ever finer.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(PNGStream(options: options))
    }

    /// Writes RGB where the bitmap is opaque, else RGBA; of ``PixelFormat/rgba16`` all 16 bits.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the PNG coder does not write it") }
        return try PNGEncoding(bitmap: bitmap.format.isDeep ? bitmap : bitmap.converted(to: .rgba8), options: options)
            .run()
    }
}
