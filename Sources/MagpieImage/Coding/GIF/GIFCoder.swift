#if GIF
public import Foundation

/// Reads GIF with giflib: the first frame, laid on its canvas.
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
        try data.withReader { (reader) throws(ImageCodingError) in
            try Self.info(GIFHeader(reader, limits: limits), limits: limits)
        }
    }

    /// Decodes the first frame.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try data.withReader { (reader) throws(ImageCodingError) in
            let header = try GIFHeader(reader, limits: options.limits)
            let info = try Self.info(header, limits: options.limits)
            return try GIFDecoding(reader: reader, header: header, info: info, options: options).run()
        }
    }

    /// Shows the first frame as far as it has come.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(GIFStream(coder: self, options: options))
    }

    private static func info(_ header: GIFHeader, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: header.width, height: header.height)
        return ImageInfo(
            format: .gif,
            width: header.width,
            height: header.height,
            hasAlpha: header.hasAlpha,
            frameCount: header.delays.count,
            loopCount: header.loopCount,
            frameDurations: header.delays.map { Double($0) * 10 },
            colorSpace: "indexed",
            isProgressive: header.first.isInterlaced
        )
    }
}
#endif
