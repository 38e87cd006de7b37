public import Foundation

/// Reads and writes PNG with libpng.
///
/// Reads every colour type and depth; 16 bits are rounded to 8. Of an animated PNG the default image is read. Text and other
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
        try data.withReader { (reader) throws(ImageCodingError) in try Self.info(reader, limits: limits) }
    }

    /// Decodes the picture, or the default image of an APNG.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try data.withReader { (reader) throws(ImageCodingError) in
            let info = try Self.info(reader, limits: options.limits)
            return try PNGDecoding(reader: reader, info: info, options: options).run()
        }
    }

    /// Writes RGB where the bitmap is opaque, else RGBA.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the PNG coder does not write it") }
        return try PNGEncoding(bitmap: bitmap).run()
    }

    private static func info(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        let header = try PNGHeader(reader, limits: limits)
        try limits.check(width: header.width, height: header.height)
        try limits.check(frameDurations: header.frameDurations, of: .apng)
        let isAnimated = header.playCount != nil && !header.frameDurations.isEmpty
        return ImageInfo(
            format: header.playCount == nil ? .png : .apng,
            width: header.width,
            height: header.height,
            orientation: header.orientation,
            hasAlpha: header.hasAlpha,
            frameCount: isAnimated ? header.frameDurations.count : 1,
            loopCount: header.playCount,
            frameDurations: header.frameDurations,
            bitsPerChannel: header.colorType == 3 ? 8 : header.bitDepth,
            colorSpace: header.colorSpace,
            isProgressive: header.isInterlaced
        )
    }
}
