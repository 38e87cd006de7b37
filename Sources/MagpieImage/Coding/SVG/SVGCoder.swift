#if SVG
public import Foundation

/// Draws SVG with librsvg, at any size.
///
/// A drawing has no pixels of its own: asked for a thumbnail it is drawn to fill the box, also where that is larger than the
/// size it states. Nothing outside of the file is loaded, and entities that multiply are refused.
public struct SVGCoder: ImageCoder {
    /// Makes the coder; it has no state.
    public init() {}

    /// SVG.
    public var decodableFormats: [ImageFormat] { [.svg] }

    /// The size that the document states, rounded up to whole pixels; nothing is drawn.
    ///
    /// A side that is missing follows from the `viewBox`, and without one is 300 or 150 (CSS 2.1 §10.3.2). 96 pixels are an
    /// inch.
    public func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        let info = Self.info(try SVGDocument(data))
        try limits.check(width: info.width, height: info.height)
        return info
    }

    /// Draws the document; the limits hold for what is drawn.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let document = try SVGDocument(data)
        let info = Self.info(document)
        let target = Self.target(of: info.storedSize, options: options)
        try options.limits.check(width: target.width, height: target.height)
        return DecodedImage(bitmap: try document.draw(at: target, options: options), info: info)
    }

    private static func info(_ document: SVGDocument) -> ImageInfo {
        ImageInfo(
            format: .svg,
            width: PixelSize.side(document.width.rounded(.up)),
            height: PixelSize.side(document.height.rounded(.up)),
            hasAlpha: true
        )
    }

    private static func target(of size: PixelSize, options: ImageDecodeOptions) -> PixelSize {
        guard let box = options.thumbnailSize, box.width > 0, box.height > 0 else { return size }
        guard options.preservesAspectRatio else { return box }
        let scale = min(Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
        return PixelSize(
            width: min(box.width, PixelSize.side(Double(size.width) * scale)),
            height: min(box.height, PixelSize.side(Double(size.height) * scale))
        )
    }
}
#endif
