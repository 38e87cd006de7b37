public import Foundation

/// Decodes, and perhaps encodes, one format or several.
///
/// A decoder needs three members, ``decodableFormats``, ``info(_:limits:)`` and ``decode(_:options:)``, and a fourth,
/// ``canDecode(_:)``, for a format that ``ImageFormat/detect(_:)`` does not know. One of a format with animations adds
/// ``frames(of:options:)``, and one that can show what has come so far ``incrementalDecoder(options:)``. An encoder adds
/// ``encodableFormats`` and ``encode(_:as:options:)``, and for animations ``encode(frames:as:options:)``.
///
/// All calls are synchronous, take the time that decoding takes, and may come from any thread at once.
public protocol ImageCoder: Sendable {
    /// The formats that ``decode(_:options:)`` reads.
    var decodableFormats: [ImageFormat] { get }
    /// The formats that ``encode(_:as:options:)`` writes.
    var encodableFormats: [ImageFormat] { get }

    /// Whether the bytes, which may be only the beginning of a file, are of a format that this coder reads.
    func canDecode(_ data: Data) -> Bool
    /// Reads the header.
    ///
    /// - Parameters:
    ///   - data: The file.
    ///   - limits: A picture that declares more than `maximumPixels` is refused.
    func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo
    /// Reads what the file says of itself beside its pixels.
    func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata
    /// Decodes the picture, or the first frame of an animation as a viewer would show it.
    func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage
    /// Opens an animation, or a still as one of one frame; the bytes are kept as long as the result lives.
    func frames(of data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> any ImageFrameSource
    /// Begins a decode whose bytes are yet to come; nil for a coder that needs them all.
    func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)?
    /// Whether this coder writes the format.
    func canEncode(_ format: ImageFormat) -> Bool
    /// Writes a bitmap as a file of the format.
    func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data
    /// Writes an animation as a file of the format; its frames are asked for in order, one at a time.
    func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data
}

extension ImageCoder {
    /// None: a coder is a decoder unless it says more.
    public var encodableFormats: [ImageFormat] { [] }

    /// Whether ``ImageFormat/detect(_:)`` finds one of ``decodableFormats``.
    public func canDecode(_ data: Data) -> Bool {
        ImageFormat.detect(data).map(decodableFormats.contains) ?? false
    }

    /// Whether the format is among ``encodableFormats``.
    public func canEncode(_ format: ImageFormat) -> Bool {
        encodableFormats.contains(format)
    }

    /// Nothing, unless the coder says more.
    public func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata { ImageMetadata() }

    /// Always throws: a coder is a decoder unless it says more.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        throw .cannotEncode(format, "this coder only decodes")
    }

    /// One frame, decoded at once: a coder knows stills only unless it says more.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) -> any ImageFrameSource {
        StillFrame(try decode(data, options: options))
    }

    /// None: a coder needs all bytes unless it says more.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? { nil }

    /// Writes the first frame: a coder knows stills only unless it says more.
    public func encode(
        frames: any ImageFrameSource,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        try encode(frames.frame(at: 0), as: format, options: options)
    }
}
