public import Foundation

/// Reads and writes JPEG with libjpeg-turbo.
///
/// Reads baseline and progressive files of 8 bits: gray, YCbCr, RGB, CMYK and YCCK (as r = (255 - c)(255 - k) / 255, without
/// a profile). The EXIF orientation is applied. A thumbnail is scaled by the inverse DCT as far as quality allows, and the
/// rest of the way with ``ResizeTransformer``'s filter, row by row.
public struct JPEGCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// JPEG.
    public var decodableFormats: [ImageFormat] { [.jpeg] }

    /// JPEG.
    public var encodableFormats: [ImageFormat] { [.jpeg] }

    /// Reads the segments before the first scan.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try JPEGHeader(reader).info(limits: limits)
        }
    }

    /// Decodes the (first) picture of the file.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try JPEGStream(options: options).decode(data)
    }

    /// Decodes while the bytes come: rows of a baseline file, and of a progressive one the whole, ever finer.
    public func incrementalDecoder(options: ImageDecodeOptions) -> (any IncrementalImageDecoder)? {
        StreamDecoder(JPEGStream(options: options))
    }

    /// EXIF and XMP, from the segments before the first scan.
    public func metadata(of data: Data) throws(ImageCodingError) -> ImageMetadata {
        try data.withReader { (reader) throws(ImageCodingError) in
            let header = try JPEGHeader(reader)
            return ImageMetadata(exif: header.exif, xmp: header.xmp)
        }
    }

    /// Writes a JPEG of 4:2:0 with optimised Huffman tables; what is transparent gets ``ImageEncodeOptions/background``.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the JPEG coder does not write it") }
        return try JPEGEncoding(bitmap: bitmap.converted(to: .rgba8), options: options).run()
    }
}
