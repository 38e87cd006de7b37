public import Foundation

/// Decodes, and perhaps encodes, one format or several.
///
/// A decoder needs three members, ``decodableFormats``, ``info(_:limits:)`` and ``decode(_:options:)``, and a fourth,
/// ``canDecode(_:)``, for a format that ``ImageFormat/detect(_:)`` does not know. An encoder adds ``encodableFormats`` and
/// ``encode(_:as:options:)``.
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
    /// Decodes the picture, or the first frame of an animation as a viewer would show it.
    func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage
    /// Whether this coder writes the format.
    func canEncode(_ format: ImageFormat) -> Bool
    /// Writes a bitmap as a file of the format.
    func encode(
        _ bitmap: Bitmap,
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

    /// Always throws: a coder is a decoder unless it says more.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        throw .cannotEncode(format, "this coder only decodes")
    }
}
