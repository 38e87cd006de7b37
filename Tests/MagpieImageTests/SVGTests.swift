#if SVG
import Foundation
import MagpieImage
import Testing

@Suite struct SVGTests {
    private func document(_ attributes: String, _ content: String = "") -> Data {
        Data("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>".utf8)
    }

    @Test(arguments: [
        ("width='20' height='10'", 20, 10), ("viewBox='0 0 40 20'", 40, 20), ("height='5' viewBox='0 0 40 20'", 10, 5),
        ("width='1in' height='72pt'", 96, 96), ("width='100%' height='100%' viewBox='0 0 7 9'", 7, 9),
        ("width='10.2' height='3'", 11, 3), ("", 300, 150),
    ])
    func theSizeFollowsFromTheRoot(_ attributes: String, _ width: Int, _ height: Int) throws {
        let info = try ImageCoders.shared.info(document(attributes))
        #expect(info.width == width)
        #expect(info.height == height)
    }

    @Test func aThumbnailIsDrawnAtItsSize() throws {
        let square = document("viewBox='0 0 2 1'", "<rect width='1' height='1' fill='#08f'/>")
        for box in [PixelSize(width: 400, height: 400), PixelSize(width: 4, height: 4)] {
            let image = try ImageCoders.shared.decode(square, options: ImageDecodeOptions(thumbnailSize: box))
            let (width, height) = (box.width, box.width / 2)
            #expect(image.bitmap.size == PixelSize(width: width, height: height))
            #expect(image.bitmap.pixel(x: width / 2 - 1, y: height - 1) == PixelColor(r: 0, g: 136, b: 255))
            #expect(image.bitmap.pixel(x: width / 2, y: 0)?.a == 0)
        }
        let stretched = ImageDecodeOptions(thumbnailSize: PixelSize(width: 10, height: 10), preservesAspectRatio: false)
        let image = try ImageCoders.shared.decode(square, options: stretched).bitmap
        #expect(image.size == PixelSize(width: 10, height: 10))
        #expect(image.pixel(x: 4, y: 9)?.b == 255)
    }

    @Test func hugeSizesAreRefusedButNotSmallOnesOfThem() throws {
        let huge = document("width='1e6' height='1e6'")
        #expect(throws: ImageCodingError.tooLarge(width: 1_000_000, height: 1_000_000, limitPixels: 268_435_456)) {
            try ImageCoders.shared.decode(huge)
        }
        let options = ImageDecodeOptions(thumbnailSize: PixelSize(width: 8, height: 8))
        #expect(try ImageCoders.shared.decode(huge, options: options).bitmap.width == 8)
        for length in ["1e30", "-5", "0", "nan"] {
            _ = try? ImageCoders.shared.decode(document("width='\(length)' height='5'"))
        }
    }

    @Test func entitiesThatMultiplyAreRefused() throws {
        var bomb = "<!DOCTYPE svg [<!ENTITY e0 'aaaaaaaaaa'>"
        for level in 1...9 {
            bomb += "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>"
        }
        bomb += "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&e9;</text></svg>"
        let file = Data(bomb.utf8)
        #expect(ImageFormat.detect(file) == .svg)
        // Refused, or drawn without the text: in either case at once.
        let clock = ContinuousClock()
        let time = clock.measure { _ = try? ImageCoders.shared.decode(file) }
        #expect(time < .seconds(20))
    }

    @Test func nothingOutsideOfTheFileIsLoaded() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("svg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appendingPathComponent("other.png")
        let filled = try Pictures.bitmap(width: 4, height: 4) { _, _ in .black }
        try Pictures.file(filled, .png).write(to: other)
        for address in [other.path, other.absoluteString] {
            let file = document("width='4' height='4'", "<image href='\(address)' width='4' height='4'/>")
            #expect(try ImageCoders.shared.decode(file).bitmap.pixel(x: 2, y: 2)?.a == 0)
        }
    }

    @Test func brokenDocumentsAreErrors() throws {
        let file = document("width='4' height='4'", "<g>")
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(file) }
        #expect(error?.code == "corrupt")
    }
}
#endif
