#if GIF
public import Foundation

/// Reads GIF with giflib.
///
/// The canvas keeps the size that the file declares, frames are clipped to it, and what no frame paints is transparent,
/// whatever the background index says (as browsers do).
public struct GIFCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// GIF.
    public var decodableFormats: [ImageFormat] { [.gif] }

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

    /// Opens the file for all of its frames.
    public func frames(of data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> any ImageFrameSource {
        try ComposedFrames(GIFFrames(data, options: options), options: options)
    }
}
#endif
