#if WebP
public import Foundation

public struct WebPCoder: ImageCoder {
    public init() {}
    public var decodableFormats: [ImageFormat] { [.webp] }
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        throw .unsupportedFormat(.webp)
    }
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        throw .unsupportedFormat(.webp)
    }
}
#endif
