import Foundation
import MagpieImage
import Testing

@Suite struct CompositionTests {
    private func frames(_ file: Data, alpha: ImageDecodeOptions.Alpha = .straight) throws -> any ImageFrameSource {
        try ImageCoders.shared.frames(of: file, options: ImageDecodeOptions(alpha: alpha))
    }

    private func flat(_ color: PixelColor, _ width: Int, _ height: Int) throws -> Bitmap {
        try Pictures.bitmap(width: width, height: height, alpha: .straight) { _, _ in color }
    }

    private func colors(_ bitmap: Bitmap) -> [PixelColor] {
        bitmap.pixels(in: PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)) ?? []
    }

    #if GIF
    private let red = PixelColor(r: 255, g: 0, b: 0)
    private let green = PixelColor(r: 0, g: 255, b: 0)
    private let blue = PixelColor(r: 0, g: 0, b: 255)

    /// A canvas of 2 by 1: red, then green on the left with a disposal, then blue on the right.
    private func gif(disposal: UInt8) -> Data {
        GIFBytes.file(
            width: 2,
            height: 1,
            frames: [
                .init(width: 2, height: 1, indices: [0, 0]),
                .init(width: 1, height: 1, indices: [1], disposal: disposal),
                .init(left: 1, width: 1, height: 1, indices: [2]),
            ]
        )
    }

    @Test(arguments: [(0, 1), (1, 1), (2, nil), (3, 0), (4, 0), (7, 1)] as [(UInt8, Int?)])
    func gifFramesAreDisposedOf(_ disposal: UInt8, _ left: Int?) throws {
        let source = try frames(gif(disposal: disposal))
        #expect(colors(try source.frame(at: 0)) == [red, red])
        #expect(colors(try source.frame(at: 1)) == [green, red])
        let expected = left.map { [red, green][$0] } ?? .clear
        #expect(colors(try source.frame(at: 2)) == [expected, blue])
        #expect(colors(try source.frame(at: 1)) == [green, red])
        #expect(colors(try frames(gif(disposal: disposal)).frame(at: 2)) == [expected, blue])
    }

    @Test func transparentPixelsOfALaterFrameShowTheOneBefore() throws {
        let file = GIFBytes.file(
            width: 2,
            height: 1,
            frames: [
                .init(width: 2, height: 1, indices: [0, 1]),
                .init(width: 2, height: 1, indices: [3, 2], transparentIndex: 3),
            ]
        )
        #expect(colors(try frames(file).frame(at: 1)) == [red, blue])
    }

    @Test func damageInALaterFrameLeavesWhatIsThere() throws {
        let whole = gif(disposal: 0)
        // The last frame loses its data, and the trailer.
        let cut = whole.dropLast(5)
        #expect(throws: ImageCodingError.self) { try frames(Data(cut)).frame(at: 2) }
        let lenient = try ImageCoders.shared.frames(of: Data(cut), options: ImageDecodeOptions(allowsPartial: true))
        #expect(colors(try lenient.frame(at: 2)) == [green, red])
    }

    @Test func framesBeyondTheLastAreErrors() throws {
        let source = try frames(gif(disposal: 0))
        #expect(throws: ImageCodingError.noSuchFrame(3, of: 3)) { try source.frame(at: 3) }
        #expect(throws: ImageCodingError.noSuchFrame(-1, of: 3)) { try source.frame(at: -1) }
    }

    @Test func manyFramesAreTheSameBackwards() throws {
        // One pixel of 50 turns blue with each frame, on red.
        let parts = (0..<50).map { GIFBytes.Frame(left: $0, width: 1, height: 1, indices: [2]) }
        let first = GIFBytes.Frame(width: 50, height: 1, indices: [UInt8](repeating: 0, count: 50))
        let source = try frames(GIFBytes.file(width: 50, height: 1, frames: [first] + parts))
        for order in [Array(0...50), Array((0...50).reversed()), (0...50).map { $0 * 7 % 51 }] {
            for index in order {
                let expected =
                    [PixelColor](repeating: blue, count: index)
                    + [PixelColor](repeating: red, count: 50 - index)
                #expect(colors(try source.frame(at: index)) == expected, "frame \(index)")
            }
        }
    }
    #endif

    @Test func apngFramesAreBlended() throws {
        let half = PixelColor(r: 200, g: 100, b: 0, a: 128)
        let below = PixelColor(r: 100, g: 0, b: 200, a: 255)
        let faint = PixelColor(r: 0, g: 50, b: 100, a: 64)
        func second(_ first: PixelColor, blend: UInt8) throws -> PixelColor? {
            let file = try APNGBytes.file([
                .init(picture: flat(first, 3, 2)), .init(picture: flat(half, 1, 1), x: 2, y: 1, blend: blend),
            ])
            return try frames(file).frame(at: 1).pixel(x: 2, y: 1)
        }
        #expect(try second(below, blend: 0) == half)
        #expect(try second(below, blend: 1) == PixelColor(r: 150, g: 50, b: 100, a: 255))
        #expect(try second(.clear, blend: 1) == half)
        // alpha = 128 + 64 * 127 / 255; colour = (200 * 128 + 0 * 31.87) / 159.87, and so on.
        #expect(try second(faint, blend: 1) == PixelColor(r: 160, g: 90, b: 20, a: 160))
    }

    @Test func aDefaultImageThatIsNoFrameIsNotShown() throws {
        let (red, blue) = (PixelColor(r: 255, g: 0, b: 0), PixelColor(r: 0, g: 0, b: 255))
        let file = try APNGBytes.file([.init(picture: flat(blue, 2, 2))], default: flat(red, 2, 2))
        let source = try frames(file)
        #expect(source.frameCount == 1)
        #expect(try source.frame(at: 0).pixel(x: 0, y: 0) == blue)
        #expect(try ImageCoders.shared.decode(file).bitmap.pixel(x: 1, y: 1) == blue)
    }

    @Test func apngFramesOutOfOrderLeaveTheDefaultImage() throws {
        var file = try APNGBytes.file([.init(picture: flat(.white, 2, 2)), .init(picture: flat(.black, 2, 2))])
        // The sequence number of the second frame, and the checksum behind its 26 bytes.
        let control = try #require(file.range(of: Data("fcTL".utf8), options: .backwards))
        let content = Data([0, 0, 0, 9]) + file[control.upperBound + 4..<control.upperBound + 26]
        file.replaceSubrange(control.lowerBound - 4..<control.upperBound + 30, with: PNGBytes.chunk("fcTL", content))
        #expect(try ImageCoders.shared.info(file).frameCount == 1)
        #expect(try ImageCoders.shared.decode(file).bitmap.pixel(x: 0, y: 0) == .white)
    }

    @Test func aThumbnailOfAFrameIsThatOfTheComposedPicture() throws {
        let file = try APNGBytes.file([
            .init(picture: Pictures.gradient(width: 40, height: 30)),
            .init(picture: Pictures.gradient(width: 10, height: 10), x: 20, y: 5),
        ])
        let box = PixelSize(width: 16, height: 16)
        let whole = try frames(file, alpha: .premultiplied).frame(at: 1)
        let small = try ImageCoders.shared.frames(of: file, options: ImageDecodeOptions(thumbnailSize: box)).frame(
            at: 1
        )
        let expected = try ImageCoders.shared.decode(
            Pictures.file(whole, .png),
            options: ImageDecodeOptions(thumbnailSize: box)
        )
        #expect(small.largestDifference(from: expected.bitmap) == 0)
    }

    #if WebP
    @Test func anAnimatedWebPThatIsCutOffGivesItsWholeFrames() throws {
        let file = try WebPBytes.animation(frames: 3)
        let cut = file.dropLast(20)
        #expect(try ImageCoders.shared.decode(cut).bitmap.size == PixelSize(width: 1, height: 1))
        #expect(try frames(cut).frame(at: 1).width == 1)
    }
    #endif
}
