import Foundation
import MagpieImage
import Testing

/// The layouts of pixels that a decode can be asked for.
@Suite struct PixelFormatTests {
    @Test(arguments: [PixelFormat.bgra8, .rgba16])
    func decodesInAnotherFormat(format: PixelFormat) throws {
        for (name, data) in try Pictures.files() {
            for size in [nil, PixelSize(width: 11, height: 9)] {
                let usual = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(thumbnailSize: size))
                let options = ImageDecodeOptions(thumbnailSize: size, pixelFormat: format)
                let bitmap = try ImageCoders.shared.decode(data, options: options).bitmap
                #expect(bitmap.format == format && bitmap.alpha == usual.bitmap.alpha, "\(name)")
                // Colours of transparent pixels are rounded otherwise in 16 bits.
                let tolerance = bitmap.alpha == .opaque ? 1 : 255
                #expect(try #require(bitmap.largestDifference(from: usual.bitmap)) <= tolerance, "\(name)")
                let same = try bitmap.converted(to: .rgba8)
                let stored = same.withUnsafeBytes { Array($0) }
                let expected = usual.bitmap.withUnsafeBytes { Array($0) }
                let difference = zip(stored, expected).map { abs(Int($0) - Int($1)) }.max()
                #expect(try #require(difference) <= (size == nil ? 0 : 1), "\(name)")
            }
        }
    }

    @Test func ordersBytes() throws {
        let bitmap = try Pictures.bitmap(width: 1, height: 1) { _, _ in PixelColor(r: 1, g: 2, b: 3) }
        #expect(try bitmap.converted(to: .bgra8).withUnsafeBytes { Array($0) } == [3, 2, 1, 255])
        let deep = try bitmap.converted(to: .rgba16)
        #expect(deep.bytesPerRow == 8)
        #expect(deep.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } == [257, 514, 771, 65535])
        #expect(try deep.converted(to: .bgra8).withUnsafeBytes { Array($0) } == [3, 2, 1, 255])
        #expect(deep.pixel(x: 0, y: 0) == PixelColor(r: 1, g: 2, b: 3))
    }

    @Test(arguments: [PixelFormat.bgra8, .rgba16])
    func survives(format: PixelFormat) throws {
        let bitmap = try Pictures.bitmap(width: 256, height: 1, alpha: .straight) { x, _ in
            PixelColor(r: UInt8(x), g: UInt8(255 - x), b: UInt8(x ^ 85), a: UInt8(x))
        }
        let back = try bitmap.converted(to: format).converted(to: .rgba8)
        #expect(back.straightRGBA() == bitmap.straightRGBA())
        #expect(try bitmap.converted(to: format).straightRGBA() == bitmap.straightRGBA())
    }

    @Test(arguments: [PixelFormat.bgra8, .rgba16])
    func transforms(format: PixelFormat) throws {
        let bitmap = try Pictures.gradient(width: 40, height: 30)
        let transformers: [any ImageTransformer] = [
            .resize(width: 13, height: 17), .resize(width: 30, height: 30, mode: .fit),
            .crop(x: 3, y: 4, width: 9, height: 8),
            .flip(horizontal: true, vertical: false), .rotate(angle: .pi / 2), .blur(radius: 3),
        ]
        for transformer in transformers {
            let expected = try transformer.transform(bitmap)
            let result = try transformer.transform(bitmap.converted(to: format))
            #expect(result.format == format && result.alpha == expected.alpha, "\(transformer.key)")
            #expect(try #require(result.largestDifference(from: expected)) <= 1, "\(transformer.key)")
        }
    }

    @Test(arguments: [PixelFormat.bgra8, .rgba16], Pictures.losslessFormats)
    func encodes(format: PixelFormat, file: ImageFormat) throws {
        let bitmap = try Pictures.fading(width: 20, height: 10)
        let options = ImageEncodeOptions(isLossless: true)
        let data = try ImageCoders.shared.encode(bitmap.converted(to: format), as: file, options: options)
        let expected = try ImageCoders.shared.encode(bitmap, as: file, options: options)
        let decoding = ImageDecodeOptions(alpha: .straight)
        let back = try ImageCoders.shared.decode(data, options: decoding).bitmap
        #expect(back.largestDifference(from: try ImageCoders.shared.decode(expected, options: decoding).bitmap) == 0)
    }
}
