import Foundation
import MagpieImage
import Testing

/// What can be asked of a decode, beside the thumbnail's size.
@Suite struct DecodeOptionsTests {
    @Test(
        arguments: [
            (1, PixelSize(width: 1, height: 1)),
            (4 * 600, PixelSize(width: 28, height: 21)),
            (4 * 1199, PixelSize(width: 39, height: 29)),
            (4 * 1200, PixelSize(width: 40, height: 30)),
            (1 << 30, PixelSize(width: 40, height: 30)),
        ]
    )
    func limitsBytes(limit: Int, expected: PixelSize) throws {
        for format in Pictures.formats {
            let data = try Pictures.file(Pictures.gradient(width: 40, height: 30), format)
            let image = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(byteLimit: limit))
            #expect(image.bitmap.size == expected, "\(format)")
        }
    }

    @Test func limitsThumbnail() throws {
        let data = try Pictures.file(Pictures.gradient(width: 40, height: 30), .png)
        func size(_ thumbnail: PixelSize, _ limit: Int) throws -> PixelSize {
            let options = ImageDecodeOptions(thumbnailSize: thumbnail, byteLimit: limit)
            return try ImageCoders.shared.decode(data, options: options).bitmap.size
        }
        let (small, large) = (PixelSize(width: 8, height: 6), PixelSize(width: 32, height: 24))
        #expect(try size(small, 4 * 600) == small)
        #expect(try size(large, 4 * 48) == small)
    }

    @Test(
        arguments: [(3, 3), (0.5, 1), (-2, 1), (.nan, 1), (.infinity, 1)]
    )
    func scales(asked: Double, expected: Double) throws {
        let data = try Pictures.file(Pictures.gradient(width: 4, height: 3), .png)
        #expect(try ImageCoders.shared.decode(data, options: ImageDecodeOptions(scale: asked)).scale == expected)
    }

    @Test func hints() throws {
        let data = try Pictures.file(Pictures.gradient(width: 4, height: 3), .png)
        for hint in [ImageFormat.jpeg, .png, ImageFormat(rawValue: "unheard-of")] {
            let image = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(typeHint: hint))
            #expect(image.info.format == .png)
        }
        #expect(throws: ImageCodingError.self) {
            _ = try ImageCoders.shared.decode(Data("nothing".utf8), options: ImageDecodeOptions(typeHint: .png))
        }
    }

    @Test func opensByHint() throws {
        let coders = ImageCoders(ImageCoders.builtIn + [BareCoder()])
        let data = Data([9, 8, 7])
        #expect(throws: ImageCodingError.self) { _ = try coders.decode(data) }
        let image = try coders.decode(data, options: ImageDecodeOptions(typeHint: BareCoder.format))
        #expect(image.info.format == BareCoder.format)
    }

    #if GIF
    @Test func firstFrameOnly() throws {
        let frames = try ImageCoders.shared.frames(
            of: GIFBytes.checkers(),
            options: ImageDecodeOptions(firstFrameOnly: true)
        )
        #expect(frames.frameCount == 1)
        #expect(try frames.frame(at: 0).size == frames.info.storedSize)
    }
    #endif
}

/// A format whose bytes say nothing of it.
private struct BareCoder: ImageCoder {
    static let format = ImageFormat(rawValue: "bare")
    var decodableFormats: [ImageFormat] { [Self.format] }

    func canDecode(_ data: Data) -> Bool { false }

    func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        ImageInfo(format: Self.format, width: 1, height: 1)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        DecodedImage(
            bitmap: try BitmapBuffer(width: 1, height: 1, alpha: .premultiplied).finish(),
            info: try info(data, limits: options.limits)
        )
    }
}
