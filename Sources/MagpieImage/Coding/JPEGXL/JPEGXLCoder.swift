#if JPEGXL
public import Foundation

/// Reads and writes JPEG XL, still and animated, with libjxl.
///
/// Pictures of more than 8 bits come rounded to 8. One that is stored in libjxl's own colours (XYB, as lossy ones are) comes as
/// sRGB, any other as its profile says. Encoding takes the library's effort 4 of 1 (fastest) to 9, which is five times as
/// fast as its default and a few per cent larger.
public struct JPEGXLCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// JPEG XL.
    public var decodableFormats: [ImageFormat] { [.jxl] }

    /// JPEG XL.
    public var encodableFormats: [ImageFormat] { [.jxl] }

    /// Reads the header, and walks over the frames of an animation without decoding them.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try JPEGXLHeader(FileBytes(data), limits: limits).info
    }

    /// Decodes the picture, or the first frame of an animation.
    ///
    /// Of one that is cut off, ``ImageDecodeOptions/allowsPartial`` gives a coarse picture where there is enough for any.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let file = FileBytes(data)
        let header = try JPEGXLHeader(file, limits: options.limits)
        return try JPEGXLDecoding(file, header: header, options: options).image(at: 0)
    }

    /// Opens an animation; a frame that is asked for out of order costs those that it is laid upon.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) -> any ImageFrameSource {
        let file = FileBytes(data)
        let header = try JPEGXLHeader(file, limits: options.limits)
        return LockedFrames(try JPEGXLDecoding(file, header: header, options: options))
    }

    /// Shows the coarse picture as soon as it has come, and finer ones with each step that the file is made in.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        IncrementalJPEGXLDecoder(options: options)
    }

    /// Writes a still picture, of ``ImageEncodeOptions/quality`` or without loss.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the JPEG XL coder does not write it") }
        let encoding = try JPEGXLEncoding(
            size: bitmap.size,
            hasAlpha: bitmap.alpha != .opaque,
            colorSpace: bitmap.colorSpace,
            options: options
        )
        try encoding.add(bitmap)
        return try encoding.finish()
    }

    /// Writes an animation, with its durations and loop count.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the JPEG XL coder does not write it") }
        let first = try frames.frame(at: 0)
        guard frames.frameCount > 1 else { return try encode(first, as: format, options: options) }
        let encoding = try JPEGXLEncoding(
            size: first.size,
            hasAlpha: frames.info.hasAlpha || first.alpha != .opaque,
            colorSpace: first.colorSpace,
            loopCount: frames.loopCount,
            options: options
        )
        for index in 0..<frames.frameCount {
            try encoding.add(index == 0 ? first : frames.frame(at: index), duration: frames.duration(at: index))
        }
        return try encoding.finish()
    }
}
#endif
