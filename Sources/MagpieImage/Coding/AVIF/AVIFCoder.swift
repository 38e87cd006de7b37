#if AVIF
public import Foundation

/// Reads and writes AVIF, still and animated, with libavif.
///
/// Rotation, mirroring and the clean aperture are applied; pictures of 10 and 12 bits come rounded to 8. Encoding takes the
/// library's speed 6 of 0 (slowest) to 10, at which a photograph is some ten times as slow to write as a WebP.
public struct AVIFCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// AVIF.
    public var decodableFormats: [ImageFormat] { [.avif] }

    /// AVIF.
    public var encodableFormats: [ImageFormat] { [.avif] }

    /// Reads the boxes around the coded pictures.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try HEIFHeader(reader, format: .avif, limits: limits).info
        }
    }

    /// Decodes the picture, or the first frame of a sequence.
    ///
    /// Of a grid that is cut off, ``ImageDecodeOptions/allowsPartial`` gives the rows of tiles that are there.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try AVIFDecoding(FileBytes(data), options: options).image(at: 0)
    }

    /// Opens a sequence; a frame that is asked for out of order is decoded from the nearest key frame before it on.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) -> any ImageFrameSource {
        LockedFrames(try AVIFDecoding(FileBytes(data), options: options))
    }

    /// Writes a still picture, of ``ImageEncodeOptions/quality`` or without loss.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the AVIF coder does not write it") }
        let encoding = try AVIFEncoding(options: options)
        try encoding.add(bitmap)
        return try encoding.finish()
    }

    /// Writes a sequence; a viewer decides how often it plays, since the library stores no loop count.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the AVIF coder does not write it") }
        guard frames.frameCount > 1 else { return try encode(frames.frame(at: 0), as: format, options: options) }
        let encoding = try AVIFEncoding(options: options)
        for index in 0..<frames.frameCount {
            try encoding.add(frames.frame(at: index), duration: frames.duration(at: index))
        }
        return try encoding.finish()
    }
}
#endif
