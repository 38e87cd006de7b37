#if GIF
public import Foundation

/// Reads and writes GIF with giflib.
///
/// The canvas keeps the size that the file declares, frames are clipped to it, and what no frame paints is transparent,
/// whatever the background index says (as browsers do).
public struct GIFCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// GIF.
    public var decodableFormats: [ImageFormat] { [.gif] }

    /// GIF.
    public var encodableFormats: [ImageFormat] { [.gif] }

    /// Walks the blocks; no frame is decoded.
    ///
    /// The loop count is that of the last loop extension, and 1 without one.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try GIFFrames(data, options: ImageDecodeOptions(limits: limits)).info
    }

    /// Decodes the first frame.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try ComposedFrames(GIFFrames(data, options: options), options: options).decoded(0)
    }

    /// Shows the first frame as far as it has come.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(GIFStream(coder: self, options: options))
    }

    /// Opens the file for all of its frames.
    public func frames(of data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> any ImageFrameSource {
        try ComposedFrames(GIFFrames(data, options: options), options: options)
    }

    /// Writes a still picture.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        try encode(frames: StillFrame(bitmap), as: format, options: options)
    }

    /// Writes an animation, each frame with a palette of its own; pixels less than half opaque become transparent.
    ///
    /// Durations are rounded to hundredths of a second.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the GIF coder does not write it") }
        return try GIFEncoding(frames).run()
    }
}
#endif
