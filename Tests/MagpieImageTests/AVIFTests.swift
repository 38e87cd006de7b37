#if AVIF
import Foundation
import MagpieImage
import Testing

@Suite struct AVIFTests {
    private let lossless = ImageEncodeOptions(isLossless: true)
    private let straight = ImageDecodeOptions(alpha: .straight)

    @Test func losslessGivesThePixelsBack() throws {
        for picture in [try Pictures.gradient(width: 61, height: 47), try Pictures.fading(width: 33, height: 20)] {
            let file = try ImageCoders.shared.encode(picture, as: .avif, options: lossless)
            let image = try ImageCoders.shared.decode(file, options: straight)
            #expect(image.info.format == .avif)
            #expect(image.info.hasAlpha == (picture.alpha != .opaque))
            #expect(image.bitmap.largestDifference(from: picture) == 0)
        }
    }

    @Test func qualityIsKeptAndCosts() throws {
        let picture = try Pictures.gradient(width: 120, height: 90)
        let good = try Pictures.file(picture, .avif, quality: 0.9)
        let poor = try Pictures.file(picture, .avif, quality: 0.2)
        #expect(poor.count < good.count)
        let difference = try ImageCoders.shared.decode(good).bitmap.largestDifference(from: picture)
        #expect(try #require(difference) <= 12)
    }

    @Test func aSequenceKeepsFramesAndDurations() throws {
        let source = CountedFrames(
            [40, 33.333, 100] + [Double](repeating: 20, count: 37),
            loopCount: 1,
            hasAlpha: true
        )
        let file = try ImageCoders.shared.encode(frames: source, as: .avif, options: lossless)
        let frames = try ImageCoders.shared.frames(of: file, options: straight)
        #expect(frames.frameCount == 40)
        #expect(frames.info.frameDurations == source.info.frameDurations)
        #expect(frames.info.hasAlpha)
        for index in [0, 1, 35, 39, 3, 34, 2] {
            let expected = try source.frame(at: index)
            #expect(try frames.frame(at: index).largestDifference(from: expected) == 0, "frame \(index)")
        }
        #expect(throws: ImageCodingError.noSuchFrame(40, of: 40)) { try frames.frame(at: 40) }
        #expect(throws: ImageCodingError.noSuchFrame(-1, of: 40)) { try frames.frame(at: -1) }
    }

    @Test func sequencesAreHeldAgainstTheLimits() throws {
        let source = CountedFrames([40, 40, 40], loopCount: 1)
        let file = try ImageCoders.shared.encode(frames: source, as: .avif)
        let limits = ImageLimits(maximumFrames: 2)
        #expect(throws: ImageCodingError.tooManyFrames(.avif, limit: 2)) {
            try ImageCoders.shared.info(file, limits: limits)
        }
        #expect(throws: ImageCodingError.tooLarge(width: 24, height: 16, limitPixels: 383)) {
            try ImageCoders.shared.info(file, limits: ImageLimits(maximumPixels: 383))
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func aHugeClaimIsRefusedBeforeMemoryIsAskedFor() throws {
        let file = try Corpus.file("avif/17000x17000.avif")
        #expect(throws: ImageCodingError.tooLarge(width: 17000, height: 17000, limitPixels: 268_435_456)) {
            try ImageCoders.shared.decode(file)
        }
        #expect(try ImageCoders.shared.info(file, limits: ImageLimits(maximumPixels: Int.max)).width == 17000)
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func aGridThatIsCutOffShowsItsFirstTiles() throws {
        let file = try Corpus.file("avif/sofa_grid1x5_420.avif")
        let whole = try ImageCoders.shared.decode(file).bitmap
        let cut = file.prefix(file.count * 3 / 5)
        #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(cut) }
        let image = try ImageCoders.shared.decode(cut, options: ImageDecodeOptions(allowsPartial: true))
        #expect(image.isPartial)
        #expect((0.2...0.8).contains(image.missingFraction), "\(image.missingFraction)")
        #expect(image.bitmap.size == whole.size)
        #expect(image.bitmap.pixel(x: 500, y: 100) == whole.pixel(x: 500, y: 100))
        #expect(image.bitmap.pixel(x: 500, y: 769)?.a == 0)
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func thumbnailsAreCroppedAndTurned() throws {
        let turned = try Corpus.file("avif/rot1mir1.avif")
        let box = ImageDecodeOptions(thumbnailSize: PixelSize(width: 64, height: 64))
        #expect(try ImageCoders.shared.decode(turned, options: box).bitmap.size == PixelSize(width: 64, height: 43))
        let cropped = try Corpus.file("avif/blue-and-magenta-crop.avif")
        #expect(try ImageCoders.shared.decode(cropped, options: box).bitmap.size == PixelSize(width: 64, height: 36))
        #expect(try ImageCoders.shared.info(cropped).crop == PixelRect(x: 40, y: 80, width: 180, height: 100))
    }
}
#endif
