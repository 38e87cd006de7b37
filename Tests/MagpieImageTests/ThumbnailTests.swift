import Foundation
import MagpieImage
import Testing

@Suite struct ThumbnailTests {
    private func decode(_ data: Data, _ width: Int, _ height: Int, stretch: Bool = false) throws -> Bitmap {
        let box = PixelSize(width: width, height: height)
        let options = ImageDecodeOptions(thumbnailSize: box, preservesAspectRatio: !stretch)
        return try ImageCoders.shared.decode(data, options: options).bitmap
    }

    @Test(arguments: Pictures.formats)
    func keepsTheRatioAndRoundsHalfAway(_ format: ImageFormat) throws {
        let file = try Pictures.file(Pictures.gradient(width: 210, height: 138), format)
        #expect(try decode(file, 16, 12).size == PixelSize(width: 16, height: 11))
        #expect(try decode(file, 1000, 20).size == PixelSize(width: 30, height: 20))
        #expect(try decode(file, 1, 1).size == PixelSize(width: 1, height: 1))
    }

    @Test(arguments: Pictures.formats)
    func stretchesWhenAskedAndNeverEnlarges(_ format: ImageFormat) throws {
        let file = try Pictures.file(Pictures.gradient(width: 60, height: 40), format)
        #expect(try decode(file, 50, 50, stretch: true).size == PixelSize(width: 50, height: 50))
        #expect(try decode(file, 60, 40).size == PixelSize(width: 60, height: 40))
        #expect(try decode(file, 500, 500).size == PixelSize(width: 60, height: 40))
        #expect(try decode(file, 500, 500, stretch: true).size == PixelSize(width: 60, height: 40))
    }

    @Test(arguments: Pictures.formats, [3, 20, 61, 90, 119])
    func looksLikeTheWholePicture(_ format: ImageFormat, _ width: Int) throws {
        let file = try Pictures.file(Pictures.gradient(width: 120, height: 90), format, quality: 1)
        let thumbnail = try decode(file, width, width)
        // A gradient scaled is a gradient; the edges get the filter's rest.
        for (x, y) in [(width / 2, thumbnail.height / 2), (width / 4, thumbnail.height / 3)] {
            let pixel = try #require(thumbnail.pixel(x: x, y: y))
            let expected = (Double(x) + 0.5) * 120 / Double(width) * 255 / 119
            #expect(abs(Double(pixel.r) - expected) < 4 + 60 / Double(width))
        }
    }

    @Test func aFlatColourStaysFlat() throws {
        let flat = try Pictures.bitmap(width: 301, height: 203) { _, _ in PixelColor(r: 17, g: 130, b: 254) }
        for (width, height) in [(300, 202), (100, 100), (13, 7), (1, 1)] {
            let thumbnail = try decode(Pictures.file(flat, .png), width, height, stretch: true)
            #expect(thumbnail.size == PixelSize(width: width, height: height))
            let bytes = [UInt8](thumbnail.straightRGBA())
            #expect(stride(from: 0, to: bytes.count, by: 4).allSatisfy { bytes[$0..<($0 + 4)] == [17, 130, 254, 255] })
        }
    }

    @Test func hiddenColoursDoNotShineThrough() throws {
        // Green that is transparent, next to red that is not.
        let picture = try Pictures.bitmap(width: 64, height: 64, alpha: .straight) { x, _ in
            x < 32 ? PixelColor(r: 0, g: 255, b: 0, a: 0) : PixelColor(r: 255, g: 0, b: 0, a: 255)
        }
        for format in Pictures.losslessFormats {
            let file = try ImageCoders.shared.encode(picture, as: format, options: ImageEncodeOptions(isLossless: true))
            let small = try decode(file, 7, 7)
            for x in 0..<7 {
                let pixel = try #require(small.pixel(x: x, y: 3))
                #expect(pixel.g == 0)
            }
            #expect(small.alpha == .premultiplied)
        }
    }

    @Test(arguments: Pictures.formats)
    func memoryStaysFarBelowTheWholePicture(_ format: ImageFormat) throws {
        let file = try Pictures.file(Pictures.gradient(width: 1200, height: 800), format, quality: 0.5)
        // The whole picture takes 3.8 MB.
        let limits = ImageLimits(maximumBytes: 1 << 20)
        let box = PixelSize(width: 75, height: 75)
        let thumbnail = try ImageCoders.shared.decode(
            file,
            options: ImageDecodeOptions(thumbnailSize: box, limits: limits)
        )
        #expect(thumbnail.bitmap.size == PixelSize(width: 75, height: 50))
        #expect(throws: ImageCodingError.self) {
            try ImageCoders.shared.decode(file, options: ImageDecodeOptions(limits: limits))
        }
    }

    @Test func infoIsThatOfTheFile() throws {
        let file = try Pictures.file(Pictures.gradient(width: 120, height: 90), .jpeg)
        let options = ImageDecodeOptions(thumbnailSize: PixelSize(width: 12, height: 12))
        let image = try ImageCoders.shared.decode(file, options: options)
        #expect(image.info.displayedSize == PixelSize(width: 120, height: 90))
    }
}
