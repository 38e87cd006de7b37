#if GIF
import Foundation
import MagpieImage
import Testing

@Suite struct GIFTests {
    private let red = PixelColor(r: 255, g: 0, b: 0)
    private let green = PixelColor(r: 0, g: 255, b: 0)
    private let blue = PixelColor(r: 0, g: 0, b: 255)

    @Test func framesLoopsAndDurationsComeFromTheBlocks() throws {
        let frame = GIFBytes.Frame(indices: [0, 1, 2, 3], delay: 7)
        let still = try ImageCoders.shared.info(GIFBytes.file(width: 2, height: 2, frames: [frame]))
        #expect(still.frameCount == 1)
        #expect(still.loopCount == 1)
        #expect(!still.hasAlpha)
        let animated = GIFBytes.file(
            width: 2,
            height: 2,
            loops: 0,
            frames: [frame, frame, .init(indices: [1, 1, 1, 1])]
        )
        let info = try ImageCoders.shared.info(animated)
        #expect(info.frameCount == 3)
        #expect(info.loopCount == 0)
        #expect(info.frameDurations == [70, 70, 0])
    }

    @Test func theFrameLiesOnATransparentCanvas() throws {
        let frame = GIFBytes.Frame(left: 1, top: 2, width: 2, height: 2, indices: [0, 1, 2, 3], transparentIndex: 3)
        let image = try ImageCoders.shared.decode(GIFBytes.file(width: 5, height: 4, frames: [frame]))
        #expect(image.bitmap.size == PixelSize(width: 5, height: 4))
        #expect(image.bitmap.alpha == .premultiplied)
        #expect(image.bitmap.pixel(x: 1, y: 2) == red)
        #expect(image.bitmap.pixel(x: 2, y: 2) == green)
        #expect(image.bitmap.pixel(x: 1, y: 3) == blue)
        #expect(image.bitmap.pixel(x: 2, y: 3) == .clear)
        #expect(image.bitmap.pixel(x: 0, y: 0) == .clear)
    }

    @Test func theCanvasClipsTheFrame() throws {
        let frame = GIFBytes.Frame(left: 1, top: 1, indices: [0, 1, 2, 3])
        let bitmap = try ImageCoders.shared.decode(GIFBytes.file(width: 2, height: 2, frames: [frame])).bitmap
        #expect(bitmap.size == PixelSize(width: 2, height: 2))
        #expect(bitmap.pixel(x: 1, y: 1) == red)
        #expect(bitmap.pixel(x: 0, y: 1) == .clear)
    }

    @Test func aFrameOutsideOfTheCanvasLeavesItClear() throws {
        let frame = GIFBytes.Frame(left: 60000, top: 60000, indices: [0, 1, 2, 3])
        let bitmap = try ImageCoders.shared.decode(GIFBytes.file(width: 2, height: 2, frames: [frame])).bitmap
        #expect(bitmap.straightRGBA().allSatisfy { $0 == 0 })
    }

    @Test func interlacedRowsComeToTheirPlaces() throws {
        // Stored order of eight rows: 0, 4, 2, 6, 1, 3, 5, 7; each row has the colour of its number modulo 4.
        let rows = [0, 4, 2, 6, 1, 3, 5, 7].flatMap { [UInt8($0 % 4), UInt8($0 % 4)] }
        let frame = GIFBytes.Frame(width: 2, height: 8, indices: rows, isInterlaced: true)
        let image = try ImageCoders.shared.decode(GIFBytes.file(width: 2, height: 8, frames: [frame]))
        #expect(image.info.isProgressive)
        let colors = [red, green, blue, .white]
        for y in 0..<8 { #expect(image.bitmap.pixel(x: 1, y: y) == colors[y % 4]) }
    }

    @Test func aCanvasWithoutASizeIsThatOfTheFrame() throws {
        let frame = GIFBytes.Frame(indices: [0, 1, 2, 3])
        let bitmap = try ImageCoders.shared.decode(GIFBytes.file(width: 0, height: 0, frames: [frame])).bitmap
        #expect(bitmap.size == PixelSize(width: 2, height: 2))
    }

    @Test func noFrameIsAnError() {
        #expect(throws: ImageCodingError.self) {
            try ImageCoders.shared.decode(GIFBytes.file(width: 2, height: 2, frames: []))
        }
    }
}
#endif
