#if JPEGXL
import Foundation
import MagpieImage
import Testing

@Suite struct JPEGXLTests {
    private let lossless = ImageEncodeOptions(isLossless: true)
    private let straight = ImageDecodeOptions(alpha: .straight)

    @Test func losslessGivesThePixelsBack() throws {
        for picture in [try Pictures.gradient(width: 61, height: 47), try Pictures.fading(width: 33, height: 20)] {
            let file = try ImageCoders.shared.encode(picture, as: .jxl, options: lossless)
            let image = try ImageCoders.shared.decode(file, options: straight)
            #expect(image.info.format == .jxl)
            #expect(image.info.hasAlpha == (picture.alpha != .opaque))
            #expect(image.bitmap.largestDifference(from: picture) == 0)
        }
    }

    @Test func qualityIsKeptAndCosts() throws {
        let picture = try Pictures.gradient(width: 120, height: 90)
        let good = try Pictures.file(picture, .jxl, quality: 0.9)
        let poor = try Pictures.file(picture, .jxl, quality: 0.1)
        #expect(poor.count < good.count)
        let near = try #require(ImageCoders.shared.decode(good).bitmap.largestDifference(from: picture))
        let far = try #require(ImageCoders.shared.decode(poor).bitmap.largestDifference(from: picture))
        #expect(near < far)
    }

    @Test func anAnimationKeepsFramesDurationsAndLoops() throws {
        let source = CountedFrames([40, 33.333, 100, 20, 20, 20, 1000], loopCount: 3, hasAlpha: true)
        let file = try ImageCoders.shared.encode(frames: source, as: .jxl, options: lossless)
        let frames = try ImageCoders.shared.frames(of: file, options: straight)
        #expect(frames.info.frameDurations == source.info.frameDurations)
        #expect(frames.loopCount == 3)
        for index in [0, 1, 6, 3, 4, 2] {
            let expected = try source.frame(at: index)
            #expect(try frames.frame(at: index).largestDifference(from: expected) == 0, "frame \(index)")
        }
        #expect(throws: ImageCodingError.noSuchFrame(7, of: 7)) { try frames.frame(at: 7) }
        #expect(throws: ImageCodingError.tooManyFrames(.jxl, limit: 6)) {
            try ImageCoders.shared.info(file, limits: ImageLimits(maximumFrames: 6))
        }
    }

    @Test func aPictureThatIsCutOffIsShownCoarsely() throws {
        let picture = try Pictures.gradient(width: 700, height: 500)
        let file = try Pictures.file(picture, .jxl)
        let cut = file.prefix(file.count * 9 / 10)
        #expect(throws: ImageCodingError.truncated(.jxl, decodedRows: 0, ofRows: 500)) {
            try ImageCoders.shared.decode(cut)
        }
        let image = try ImageCoders.shared.decode(cut, options: ImageDecodeOptions(allowsPartial: true))
        #expect(image.missingFraction == 1)
        let pixel = try #require(image.bitmap.pixel(x: 350, y: 250))
        #expect(abs(Int(pixel.r) - 127) < 40 && abs(Int(pixel.g) - 127) < 40)
    }

    @Test(arguments: [1, 7, 1000, 65_536])
    func arrivingInPiecesIsTheSameAsAtOnce(_ size: Int) throws {
        let animation = CountedFrames([40, 50, 60], loopCount: 0, hasAlpha: true)
        let files = [
            try Pictures.file(Pictures.gradient(width: 300, height: 280), .jxl),
            try ImageCoders.shared.encode(Pictures.fading(width: 40, height: 30), as: .jxl, options: lossless),
            try ImageCoders.shared.encode(frames: animation, as: .jxl, options: lossless),
        ]
        for file in files {
            let decoder = try #require(JPEGXLCoder().incrementalDecoder(options: straight))
            for start in stride(from: 0, to: file.count, by: size) {
                try decoder.append(file[start..<min(file.count, start + size)])
            }
            let found = try decoder.finish()
            let expected = try ImageCoders.shared.decode(file, options: straight)
            #expect(found.bitmap.largestDifference(from: expected.bitmap) == 0)
            #expect(found.info == expected.info)
            #expect(!found.isPartial)
        }
    }

    @Test func aCoarsePictureComesBeforeTheEnd() throws {
        let picture = try Pictures.gradient(width: 700, height: 500)
        let file = try Pictures.file(picture, .jxl)
        let decoder = try #require(JPEGXLCoder().incrementalDecoder(options: ImageDecodeOptions()))
        #expect(try decoder.preview() == nil)
        var firstPreview: Int?
        for start in stride(from: 0, to: file.count, by: 500) {
            try decoder.append(file[start..<min(file.count, start + 500)])
            guard let preview = try decoder.preview() else { continue }
            firstPreview = firstPreview ?? start
            #expect(preview.bitmap.size == picture.size)
        }
        #expect(try #require(firstPreview) < file.count - 1000)
        #expect(try decoder.preview() == nil)
        #expect(try !decoder.finish().isPartial)
    }

    @Test func whatArrivesDamagedStaysAnError() throws {
        let decoder = try #require(JPEGXLCoder().incrementalDecoder(options: ImageDecodeOptions()))
        let thrown = #expect(throws: ImageCodingError.self) { try decoder.append(Data("no picture at all".utf8)) }
        let error = try #require(thrown)
        #expect(throws: error) { try decoder.append(Data([0])) }
        #expect(throws: error) { try decoder.finish() }
        let empty = try #require(JPEGXLCoder().incrementalDecoder(options: ImageDecodeOptions()))
        #expect(throws: ImageCodingError.empty) { try empty.finish() }
    }
}
#endif
