import Foundation
import MagpieImage
import Testing

@Suite struct AnimatedEncodingTests {
    static let formats = [ImageFormat.gif, .apng, .webp].filter(ImageCoders.shared.canEncode)

    /// A square that moves over what is transparent, or over a ground.
    private struct MovingSquare: ImageFrameSource {
        let info: ImageInfo
        let ground: PixelColor

        init(ground: PixelColor) {
            self.ground = ground
            info = ImageInfo(
                format: .apng,
                width: 24,
                height: 16,
                hasAlpha: ground.a == 0,
                frameCount: 5,
                loopCount: 3,
                frameDurations: [70, 100, 30, 200, 50]
            )
        }

        func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
            guard (0..<frameCount).contains(index) else { throw .noSuchFrame(index, of: frameCount) }
            let picture = try? Pictures.bitmap(width: 24, height: 16, alpha: ground.a == 0 ? .straight : .opaque) {
                x,
                y in
                (4 * index..<4 * index + 5).contains(x) && (3..<9).contains(y)
                    ? PixelColor(r: UInt8(10 * x), g: UInt8(20 * y), b: 90) : ground
            }
            guard let picture else { throw .outOfMemory(bytes: 0) }
            return picture
        }
    }

    @Test(arguments: formats, [PixelColor.clear, PixelColor(r: 1, g: 2, b: 3)])
    func framesDurationsAndLoopsComeBack(_ format: ImageFormat, _ ground: PixelColor) throws {
        let square = MovingSquare(ground: ground)
        let options = ImageEncodeOptions(isLossless: true)
        let file = try ImageCoders.shared.encode(frames: square, as: format, options: options)
        #expect(ImageFormat.detect(file) == format)
        let source = try ImageCoders.shared.frames(of: file, options: ImageDecodeOptions(alpha: .straight))
        #expect(source.info.frameDurations == square.info.frameDurations)
        #expect(source.loopCount == 3)
        try #require(source.frameCount == 5)
        for index in 0..<5 {
            #expect(try source.frame(at: index).largestDifference(from: square.frame(at: index)) == 0, "frame \(index)")
        }
    }

    @Test(arguments: formats)
    func aStillIsAnAnimationOfOneFrame(_ format: ImageFormat) throws {
        let picture = try MovingSquare(ground: .black).frame(at: 0)
        let file = try ImageCoders.shared.encode(picture, as: format, options: ImageEncodeOptions(isLossless: true))
        #expect(try ImageCoders.shared.info(file).frameCount == 1)
        #expect(try ImageCoders.shared.decode(file).bitmap.largestDifference(from: picture) == 0)
    }

    @Test(arguments: formats)
    func framesOfDifferentSizesAreRefused(_ format: ImageFormat) throws {
        struct Growing: ImageFrameSource {
            let info = ImageInfo(
                format: .gif,
                width: 4,
                height: 4,
                frameCount: 2,
                loopCount: 0,
                frameDurations: [9, 9]
            )

            func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
                try BitmapBuffer(width: 4 + index, height: 4, alpha: .opaque).finish()
            }
        }
        #expect(throws: ImageCodingError.self) { try ImageCoders.shared.encode(frames: Growing(), as: format) }
    }

    #if GIF
    @Test func moreColoursThanAPaletteHoldsAreDithered() throws {
        let picture = try Pictures.gradient(width: 120, height: 90)
        let decoded = try ImageCoders.shared.decode(ImageCoders.shared.encode(picture, as: .gif)).bitmap
        // Single pixels are off; the mean of each block of 10 by 10 is not.
        for y in stride(from: 0, to: 90, by: 10) {
            for x in stride(from: 0, to: 120, by: 10) {
                let block = PixelRect(x: x, y: y, width: 10, height: 10)
                let (old, new) = (try #require(picture.pixels(in: block)), try #require(decoded.pixels(in: block)))
                for channel in [\PixelColor.r, \.g, \.b] {
                    let difference = zip(old, new).reduce(0) {
                        $0 + Int($1.0[keyPath: channel]) - Int($1.1[keyPath: channel])
                    }
                    #expect(abs(difference) <= 300, "mean of the block at \(x), \(y)")
                }
            }
        }
    }

    @Test func gifDurationsDoNotDrift() throws {
        let file = try ImageCoders.shared.encode(frames: NumberedFrames(9, duration: 33.333), as: .gif)
        let info = try ImageCoders.shared.info(file)
        #expect(info.frameDurations.reduce(0, +) == 300)
        #expect(info.frameDurations.allSatisfy { $0 == 30 || $0 == 40 })
    }
    #endif
}
