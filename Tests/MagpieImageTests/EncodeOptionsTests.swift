import Foundation
import MagpieImage
import Testing

/// What can be asked of an encode, whatever the format.
@Suite struct EncodeOptionsTests {
    @Test(arguments: Pictures.formats)
    func picturesAreScaledDownIntoTheBox(_ format: ImageFormat) throws {
        let picture = try Pictures.gradient(width: 40, height: 30)
        func size(_ width: Int, _ height: Int) throws -> PixelSize {
            let options = ImageEncodeOptions(maximumPixelSize: PixelSize(width: width, height: height))
            return try ImageCoders.shared.info(ImageCoders.shared.encode(picture, as: format, options: options))
                .storedSize
        }
        #expect(try size(20, 20) == PixelSize(width: 20, height: 15))
        #expect(try size(400, 400) == picture.size)
    }

    @Test(arguments: Pictures.formats.filter { $0 != .png })
    func theBestQualityIsFoundThatFits(_ format: ImageFormat) throws {
        let picture = try Pictures.bitmap(width: 120, height: 90) { x, y in
            PixelColor(r: UInt8(x * 37 % 256), g: UInt8(y * 53 % 256), b: UInt8(x * y % 256))
        }
        func count(_ quality: Double) throws -> Int { try Pictures.file(picture, format, quality: quality).count }
        let (least, most) = (try count(0), try count(0.9))
        let limit = (least + most) / 2
        let found = try ImageCoders.shared.encode(picture, as: format, options: .init(maximumByteCount: limit)).count
        #expect(found <= limit && found > least)
        let whole = try ImageCoders.shared.encode(picture, as: format, options: .init(maximumByteCount: most)).count
        #expect(whole == most)
    }

    @Test(arguments: Pictures.formats)
    func whatCannotFitIsAnError(_ format: ImageFormat) throws {
        let picture = try Pictures.gradient(width: 40, height: 30)
        #expect(throws: ImageCodingError.self) {
            _ = try ImageCoders.shared.encode(picture, as: format, options: ImageEncodeOptions(maximumByteCount: 20))
        }
    }
}
