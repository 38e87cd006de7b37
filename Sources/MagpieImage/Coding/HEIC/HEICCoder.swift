#if HEIC
public import Foundation

/// Reads HEIC with libheif, and image sequences of HEVC with libde265.
///
/// Rotation, mirroring and the clean aperture are applied; pictures of 10 and 12 bits come rounded to 8. The thumbnails that a
/// file may hold are not used: they are of lower quality than what is made of the picture.
public struct HEICCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// HEIC, and its sequences.
    public var decodableFormats: [ImageFormat] { [.heic, .heics] }

    /// Reads the boxes around the coded pictures.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try data.withReader { (reader) throws(ImageCodingError) in
            try Self.header(reader, limits: limits).info
        }
    }

    /// Decodes the primary picture, or the first frame of a sequence.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let file = FileBytes(data)
        guard !file.bytes.isEmpty else { throw .empty }
        let header = try Self.header(ByteReader(file.bytes), limits: options.limits)
        if let track = header.track {
            return try HEICSequence(file, header: header, track: track, options: options).image(at: 0)
        }
        return try HEICDecoding(file: file, header: header, options: options).run()
    }

    /// Opens a sequence; a frame that is asked for out of order is decoded from the key frame before it on.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) -> any ImageFrameSource {
        let file = FileBytes(data)
        guard !file.bytes.isEmpty else { throw .empty }
        let header = try Self.header(ByteReader(file.bytes), limits: options.limits)
        guard let track = header.track else { return StillFrame(try decode(data, options: options)) }
        return LockedFrames(try HEICSequence(file, header: header, track: track, options: options))
    }

    private static func header(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) -> HEIFHeader {
        try HEIFHeader(reader, format: ImageFormat.detect(reader) ?? .heic, limits: limits)
    }
}
#endif
