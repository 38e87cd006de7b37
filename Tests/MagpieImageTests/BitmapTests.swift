import Foundation
import MagpieImage
import Testing

@Suite struct BitmapTests {
    @Test func memoryIsAlignedZeroedAndShared() throws {
        let bitmap = try BitmapBuffer(width: 7, height: 3, alpha: .premultiplied).finish()
        let copy = bitmap
        #expect(bitmap.byteCount == bitmap.bytesPerRow * 3)
        bitmap.withUnsafeBytes { first in
            copy.withUnsafeBytes { second in
                #expect(first.baseAddress == second.baseAddress)
                #expect(UInt(bitPattern: first.baseAddress) % 64 == 0)
                #expect(first.allSatisfy { $0 == 0 })
            }
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 5), (Int.max, 2), (1 << 40, 1 << 40)])
    func impossibleSizesAreErrors(_ width: Int, _ height: Int) {
        #expect(throws: ImageCodingError.self) {
            _ = try BitmapBuffer(width: width, height: height, alpha: .opaque).finish()
        }
    }

    @Test func pixelsComeBackStraight() throws {
        let half = try Pictures.bitmap(width: 2, height: 1, alpha: .premultiplied) { x, _ in
            x == 0 ? PixelColor(r: 100, g: 50, b: 0, a: 128) : PixelColor(r: 0, g: 0, b: 0, a: 0)
        }
        #expect(half.pixel(x: 0, y: 0) == PixelColor(r: 199, g: 100, b: 0, a: 128))
        #expect(half.pixel(x: 1, y: 0) == .clear)
        #expect(half.pixel(x: 2, y: 0) == nil)
        #expect(half.pixel(x: 0, y: -1) == nil)
        #expect([UInt8](half.straightRGBA()) == [199, 100, 0, 128, 0, 0, 0, 0])
    }

    @Test func premultiplyingRoundsToNearest() throws {
        let all = try Pictures.bitmap(width: 256, height: 256, alpha: .straight) { x, y in
            PixelColor(r: UInt8(x), g: UInt8(255 - x), b: UInt8(x ^ 85), a: UInt8(y))
        }
        let premultiplied = try ImageCoders.shared.decode(Pictures.file(all, .png)).bitmap
        #expect(premultiplied.alpha == .premultiplied)
        var wrong = 0
        premultiplied.withUnsafeBytes { bytes in
            for y in 0..<256 {
                for x in 0..<256 {
                    let at = y * premultiplied.bytesPerRow + 4 * x
                    for (channel, value) in [x, 255 - x, x ^ 85].enumerated()
                    where Int(bytes[at + channel]) != (2 * value * y + 255) / 510 { wrong += 1 }
                    if Int(bytes[at + 3]) != y { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test(arguments: [
        (640, 480, 320, 320, 320, 240), (480, 640, 320, 320, 240, 320), (5250, 3450, 400, 300, 400, 263),
        (100, 50, 200, 200, 100, 50), (100, 50, 100, 10, 20, 10), (1000, 3, 10, 10, 10, 1), (3, 2, 2, 9, 2, 1),
        (100, 50, 0, 20, 100, 50),
    ])
    func sizesFitTheirBox(_ width: Int, _ height: Int, _ boxWidth: Int, _ boxHeight: Int, _ w: Int, _ h: Int) {
        let box = PixelSize(width: boxWidth, height: boxHeight)
        #expect(PixelSize(width: width, height: height).fitted(into: box) == PixelSize(width: w, height: h))
    }
}
