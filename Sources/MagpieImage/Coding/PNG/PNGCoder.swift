public import Foundation

/// Reads and writes PNG and APNG with libpng.
///
/// Reads every colour type and depth; 16 bits are rounded to 8 unless ``PixelFormat/rgba16`` is asked for. Text and
/// other chunks that pixels do not need are skipped without being inflated. The EXIF orientation is applied.
public struct PNGCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// PNG and APNG.
    public var decodableFormats: [ImageFormat] { [.png, .apng] }

    /// PNG and APNG.
    public var encodableFormats: [ImageFormat] { [.png, .apng] }

    /// Walks the chunks: frames and durations of an APNG are those that are there, not those that it promises.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try Self.header(data, limits).info(limits: limits)
    }

    /// EXIF and XMP, also behind the pixels; compressed XMP is left alone.
    public func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata {
        try data.withReader { (reader) throws(ImageCodingError) in PNGMetadata.read(reader) }
    }

    /// Decodes the picture, or the first frame of an APNG.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let header = try Self.header(data, options.limits)
        if !header.frames.isEmpty { return try Self.animation(data, header, options).decoded(0) }
        return try PNGStream(options: options).decode(data)
    }

    /// Decodes while the bytes come: rows, and of an interlaced picture the whole, ever finer.
    ///
    /// Of an APNG the default image is shown until all bytes are there, and the first frame then.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(PNGStream(options: options))
    }

    /// Opens an APNG for all of its frames, or a still picture as one of one frame.
    public func frames(of data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> any ImageFrameSource {
        let header = try Self.header(data, options.limits)
        if !header.frames.isEmpty { return try Self.animation(data, header, options) }
        return StillFrame(try decode(data, options: options))
    }

    /// Writes RGB where the bitmap is opaque, else RGBA; of ``PixelFormat/rgba16`` all 16 bits.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the PNG coder does not write it") }
        if format == .apng { return try encode(frames: StillFrame(bitmap), as: format, options: options) }
        return try PNGEncoding(bitmap: bitmap.format.isDeep ? bitmap : bitmap.converted(to: .rgba8), options: options)
            .run()
    }

    /// Writes an APNG, whose frames hold what changes; as PNG, the first frame.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard format == .apng else { return try encode(frames.frame(at: 0), as: format, options: options) }
        var encoding = APNGEncoding(frames, options: options)
        return try encoding.run()
    }

    static func header(_ data: Data, _ limits: ImageLimits) throws(ImageCodingError) -> PNGHeader {
        try data.withReader { (reader) throws(ImageCodingError) in try PNGHeader(reader, limits: limits) }
    }

    static func animation(
        _ data: Data,
        _ header: PNGHeader,
        _ options: ImageDecodeOptions
    ) throws(ImageCodingError) -> ComposedFrames {
        try ComposedFrames(APNGFrames(data, header, options: options), options: options)
    }
}
