#if WebP
import CWebP
import Foundation

/// A WebP whose bytes come in pieces.
///
/// All of them are kept: libwebp goes back to them, and the orientation stands behind the pixels.
struct WebPStream: PictureStream {
    private enum Content {
        case still(WebPDecoding)
        /// Of an animation the first frame is shown, once, when it is there as a whole.
        case animation(isFirstFrameKnown: Bool)
    }

    let options: ImageDecodeOptions
    private(set) var info: ImageInfo?
    private var colorSpace = ColorSpace.sRGB
    private var content: Content?
    private var firstFrame: DecodedImage?

    init(options: ImageDecodeOptions) {
        self.options = options
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> Int {
        let reader = ByteReader(bytes)
        if content == nil, WebPContainer.hasPixels(reader) {
            try begin(WebPContainer(reader, limits: options.limits))
        }
        switch content {
        case .still(let decoding):
            decoding.update(reader)
        case .animation(isFirstFrameKnown: false):
            guard WebPContainer.hasFirstFrame(reader) else { break }
            firstFrame = try decodeFirstFrame(reader, WebPContainer(reader, limits: options.limits))
            content = .animation(isFirstFrameKnown: true)
        default:
            break
        }
        return 0
    }

    mutating func preview() throws(ImageCodingError) -> DecodedImage? {
        if let info, case .still(let decoding) = content { return try decoding.preview(info, colorSpace) }
        return firstFrame.take()
    }

    mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(ImageCodingError) -> DecodedImage {
        let reader = ByteReader(bytes)
        let container = try WebPContainer(reader, limits: options.limits)
        let info = try container.info(limits: options.limits)
        // An orientation that came late may ask for another size.
        if case .still(let decoding) = content, decoding.fits(info) { self.info = info } else { try begin(container) }
        if case .still(let decoding) = content {
            decoding.update(reader)
            return try decoding.finish(info, colorSpace, isTruncated: container.isTruncated)
        }
        return try decodeFirstFrame(reader, container)
    }

    private mutating func begin(_ container: WebPContainer) throws(ImageCodingError) {
        let info = try container.info(limits: options.limits)
        self.info = info
        colorSpace = ICCProfile.colorSpace(ofRGB: container.profile)
        content =
            container.isAnimated
            ? .animation(isFirstFrameKnown: false) : .still(try WebPDecoding(info: info, options: options))
    }

    private func decodeFirstFrame(
        _ reader: ByteReader,
        _ container: WebPContainer
    ) throws(ImageCodingError) -> DecodedImage {
        try WebPCoder.animation(Data(reader.bytes), container, options).decoded(0)
    }
}
#endif
