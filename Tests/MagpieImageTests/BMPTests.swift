import Foundation
import MagpieImage
import Testing

@Suite struct BMPTests {
    private func pixels(_ file: Data) throws -> [PixelColor] {
        let bitmap = try ImageCoders.shared.decode(file, options: ImageDecodeOptions(alpha: .straight)).bitmap
        return try #require(bitmap.pixels(in: PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)))
    }

    private let red = PixelColor(r: 255, g: 0, b: 0)
    private let blue = PixelColor(r: 0, g: 0, b: 255)
    private let palette: [[UInt8]] = [[0, 0, 255], [255, 0, 0]]

    @Test func rowsStandBottomUpUnlessTheHeightIsNegative() throws {
        let rows: [[UInt8]] = [[0, 0, 255, 0], [255, 0, 0, 0]]
        #expect(try pixels(BMPBytes.file(bits: 24, rows: rows, width: 1)) == [blue, red])
        #expect(try pixels(BMPBytes.file(bits: 24, rows: rows, width: 1, height: -2)) == [red, blue])
    }

    @Test(arguments: [(1, 0x40 as UInt8), (2, 0x10), (4, 0x01)])
    func smallIndicesArePacked(_ bits: Int, _ byte: UInt8) throws {
        let file = BMPBytes.file(bits: bits, palette: palette, rows: [[byte, 0, 0, 0]], width: 2)
        #expect(try pixels(file) == [red, blue])
    }

    @Test func anIndexBeyondThePaletteIsBlack() throws {
        let file = BMPBytes.file(bits: 8, palette: palette, rows: [[0, 200, 0, 0]], width: 2)
        #expect(try pixels(file) == [red, .black])
    }

    @Test func masksSayWhereChannelsLie() throws {
        let file = BMPBytes.file(
            bits: 16,
            compression: 3,
            rows: [[0x00, 0xF8, 0xFF, 0x07]],
            width: 2,
            masks: [0xF800, 0x07E0, 0x001F]
        )
        #expect(try pixels(file) == [red, PixelColor(r: 0, g: 255, b: 255)])
        let withAlpha = BMPBytes.file(
            bits: 32,
            compression: 6,
            rows: [[255, 0, 0, 128]],
            width: 1,
            masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]
        )
        #expect(try pixels(withAlpha) == [PixelColor(r: 255, g: 0, b: 0, a: 128)])
    }

    @Test func theFourthByteIsNoAlphaWithoutAMask() throws {
        let file = BMPBytes.file(bits: 32, rows: [[0, 0, 255, 7]], width: 1)
        #expect(try pixels(file) == [red])
        #expect(try !ImageCoders.shared.info(file).hasAlpha)
    }

    @Test func runsLiteralsAndJumpsAreFollowed() throws {
        // A run of two, the end of the row, a jump by one, a literal of three with its padding.
        let runs: [UInt8] = [2, 1, 0, 0, 0, 2, 1, 0, 0, 3, 1, 0, 1, 0, 0, 1]
        let file = BMPBytes.file(bits: 8, compression: 1, palette: palette, rows: [runs], width: 4, height: 2)
        #expect(try pixels(file) == [red, blue, red, blue, blue, blue, red, red])
        let nibbles = BMPBytes.file(
            bits: 4,
            compression: 2,
            palette: palette,
            rows: [[3, 0x10, 0, 1]],
            width: 3,
            height: 1
        )
        #expect(try pixels(nibbles) == [blue, red, blue])
    }

    @Test func runsThatLeaveThePictureAreDamage() throws {
        let rows: [UInt8] = [4, 1, 0, 0, 200, 1, 0, 1]
        let file = BMPBytes.file(bits: 8, compression: 1, palette: palette, rows: [rows], width: 4, height: 2)
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(file) }
        #expect(error?.code == "corrupt")
        let options = ImageDecodeOptions(allowsPartial: true)
        let image = try ImageCoders.shared.decode(file, options: options)
        #expect(image.isPartial)
        #expect(image.missingFraction == 0.5)
    }

    @Test func sizesAreCheckedFirst() throws {
        let huge = BMPBytes.file(bits: 24, rows: [], width: 60000, height: 60000)
        #expect(throws: ImageCodingError.tooLarge(width: 60000, height: 60000, limitPixels: 268_435_456)) {
            try ImageCoders.shared.decode(huge)
        }
        let least = BMPBytes.file(bits: 24, rows: [], width: 1, height: Int(Int32.min))
        #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(least) }
    }
}

@Suite struct ICOTests {
    private func bitmap(_ gray: UInt8, side: Int, alpha: UInt8 = 255, mask: UInt8 = 0) -> Data {
        let pixels = [[UInt8]](repeating: [gray, gray, gray, alpha], count: side * side)
        let masks = [[UInt8]](repeating: [mask, 0, 0, 0], count: side)
        return BMPBytes.bitmap(bits: 32, rows: pixels + masks, width: side, height: side * 2)
    }

    @Test func theLargestPictureIsShown() throws {
        let file = BMPBytes.icon([bitmap(10, side: 1), bitmap(20, side: 3), bitmap(30, side: 2)])
        let image = try ImageCoders.shared.decode(file)
        #expect(image.info.format == .ico)
        #expect(image.bitmap.size == PixelSize(width: 3, height: 3))
        #expect(image.bitmap.pixel(x: 1, y: 1) == PixelColor(r: 20, g: 20, b: 20))
    }

    @Test func theMaskCountsWhereNoPixelHasAlpha() throws {
        let options = ImageDecodeOptions(alpha: .straight)
        let masked = BMPBytes.icon([bitmap(50, side: 2, alpha: 0, mask: 0x80)])
        let image = try ImageCoders.shared.decode(masked, options: options).bitmap
        #expect(image.pixel(x: 0, y: 0)?.a == 0)
        #expect(image.pixel(x: 1, y: 0) == PixelColor(r: 50, g: 50, b: 50))
        let ignored = BMPBytes.icon([bitmap(50, side: 2, alpha: 9, mask: 0x80)])
        #expect(try ImageCoders.shared.decode(ignored, options: options).bitmap.pixel(x: 0, y: 0)?.a == 9)
    }

    @Test func aPNGInsideIsRead() throws {
        let picture = try Pictures.fading(width: 9, height: 5)
        let file = BMPBytes.icon([bitmap(1, side: 2), try Pictures.file(picture, .png)])
        let image = try ImageCoders.shared.decode(file, options: ImageDecodeOptions(alpha: .straight))
        #expect(image.info.format == .ico)
        #expect(image.bitmap.largestDifference(from: picture) == 0)
    }

    @Test func picturesOutsideOfTheFileDoNotCount() throws {
        var file = BMPBytes.icon([bitmap(1, side: 2)])
        file[18] = 0xFF
        file[19] = 0xFF
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(file) }
        #expect(error?.code == "corrupt")
    }
}
