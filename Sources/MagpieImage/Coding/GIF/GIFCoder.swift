#if GIF
public import Foundation

public struct GIFCoder: ImageCoder {
    public init() {}
    public var decodableFormats: [ImageFormat] { [.gif] }
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        throw .unsupportedFormat(.gif)
    }
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        throw .unsupportedFormat(.gif)
    }
}
#endif
