public import Foundation

/// Reads icons and cursors of Windows: the largest picture inside, and of several as large the one of most bits a pixel.
///
/// A picture inside is a PNG or a bitmap with a mask. Of a bitmap of 32 bits the alpha counts, unless all of it is 0.
public struct ICOCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// ICO, which stands for cursors too.
    public var decodableFormats: [ImageFormat] { [.ico] }

    /// Reads the header of the picture that ``decode(_:options:)`` shows.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try ICODecoding(reader, options: ImageDecodeOptions(limits: limits)).info
        }
    }

    /// Decodes the largest picture.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try data.withReader { (reader) throws(ImageCodingError) in
            try ICODecoding(reader, options: options).run()
        }
    }
}
