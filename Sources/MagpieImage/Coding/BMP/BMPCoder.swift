public import Foundation

/// Reads BMP: every header from OS/2 1 to version 5, 1 to 32 bits, run lengths and bit fields.
///
/// The fourth byte of a pixel is alpha only where the header has a mask for it. Rows are read where they lie, so a thumbnail
/// takes a few rows of memory; of a picture in run lengths a byte a pixel is kept.
public struct BMPCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// BMP.
    public var decodableFormats: [ImageFormat] { [.bmp] }

    /// Reads the header.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try Self.info(BMPHeader(file: reader), limits: limits)
        }
    }

    /// Decodes the picture; rows that a cut-off file lacks are black where partial pictures are allowed.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try data.withReader { (reader) throws(ImageCodingError) in
            let header = try BMPHeader(file: reader)
            let info = try Self.info(header, limits: options.limits)
            return try BMPDecoding(reader: reader, header: header, info: info, options: options).run()
        }
    }

    private static func info(_ header: BMPHeader, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: header.width, height: header.height)
        return ImageInfo(
            format: .bmp,
            width: header.width,
            height: header.height,
            hasAlpha: header.alpha != nil,
            colorSpace: header.bitsPerPixel <= 8 ? "indexed" : "rgb"
        )
    }
}
