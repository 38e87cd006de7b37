#if TIFF
import CTIFF
public import Foundation

/// Reads and writes TIFF and BigTIFF with libtiff.
///
/// Reads what libtiff converts to colours: strips and tiles, planes, palettes, gray, RGB, CMYK, YCbCr and CIELab of 1 to 16
/// bits, which are rounded to 8, in every compression that the library was built with. Memory is that of one strip or row of
/// tiles beside the result. Pages are frames; the first is the picture.
public struct TIFFCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// TIFF.
    public var decodableFormats: [ImageFormat] { [.tiff] }

    /// TIFF.
    public var encodableFormats: [ImageFormat] { [.tiff] }

    /// Reads the first page's directory, and counts the others.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        let file = try Self.open(data, limits: limits)
        return try Self.info(file, TIFFPage(file, limits: limits), limits: limits)
    }

    /// Decodes the first page.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        try Self.decode(data, page: 0, options: options)
    }

    /// The pages, each decoded when it is asked for.
    public func frames(
        of data: Data,
        options: ImageDecodeOptions
    ) throws(ImageCodingError) -> any ImageFrameSource {
        TIFFPages(data: data, info: try info(data, limits: options.limits), options: options)
    }

    /// Writes RGB where the bitmap is opaque, else RGBA, deflated, with its ICC profile.
    public func encode(
        _ bitmap: Bitmap,
        as format: ImageFormat,
        options: ImageEncodeOptions
    ) throws(ImageCodingError) -> Data {
        guard canEncode(format) else { throw .cannotEncode(format, "the TIFF coder does not write it") }
        return try TIFFEncoding(bitmap: bitmap).run()
    }

    static func decode(_ data: Data, page index: Int, options: ImageDecodeOptions) throws(ImageCodingError)
        -> DecodedImage
    {
        let file = try open(data, limits: options.limits)
        let info = try info(file, TIFFPage(file, limits: options.limits), limits: options.limits)
        if index > 0, TIFFSetDirectory(file.handle, UInt32(index)) == 0 {
            throw .corrupt(.tiff, "page \(index) of it cannot be read")
        }
        let page = try TIFFPage(file, limits: options.limits)
        return try TIFFDecoding(file: file, page: page, info: info, options: options).run()
    }

    private static func open(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> TIFFFile {
        guard !data.isEmpty else { throw .empty }
        return try TIFFFile(TIFFStream(data), .reading, memoryLimit: max(1, limits.maximumBytes))
    }

    private static func info(
        _ file: TIFFFile,
        _ page: TIFFPage,
        limits: ImageLimits
    ) throws(ImageCodingError) -> ImageInfo {
        let pages = max(1, Int(TIFFNumberOfDirectories(file.handle)))
        try limits.check(frames: pages, of: .tiff)
        return ImageInfo(
            format: .tiff,
            width: page.width,
            height: page.height,
            orientation: page.orientation,
            hasAlpha: page.alpha != .none,
            frameCount: pages,
            bitsPerChannel: page.bitsPerSample,
            colorSpace: page.colorSpace
        )
    }
}
#endif
