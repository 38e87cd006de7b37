import Foundation
import MagpieImage
import Testing

/// Real files against what is true of them.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"), .serialized)
struct CorpusTests {
    @Test(arguments: Corpus.decodable.filter { $0.validity == .whole })
    func headerSaysWhatIsTrue(_ entry: CorpusEntry) throws {
        let info = try ImageCoders.shared.info(entry.bytes(), limits: ImageLimits(maximumPixels: Int.max))
        #expect(info.format.rawValue == entry.format)
        #expect(info.width == entry.width)
        #expect(info.height == entry.height)
        #expect(info.displayedSize.width == entry.displayedWidth)
        #expect(info.displayedSize.height == entry.displayedHeight)
        #expect(info.orientation.rawValue == entry.orientation)
        #expect(info.hasAlpha == entry.hasAlpha)
        #expect(info.frameCount == entry.frames)
        #expect(info.loopCount == entry.loopCount)
        #expect(info.frameDurations == entry.durationsMs)
        #expect(info.bitsPerChannel == entry.bitsPerChannel)
    }

    /// All but what the library says it does not do, JPEG of 12 bits, and what is beyond the limits.
    static let shown = Corpus.decodable.filter {
        $0.validity == .whole && ($0.format != "jpeg" || $0.bitsPerChannel != 12) && $0.path != "avif/17000x17000.avif"
    }

    @Test(arguments: shown)
    func pixelsAreRight(_ entry: CorpusEntry) throws {
        let data = try entry.bytes()
        let options = ImageDecodeOptions(alpha: .straight, colorConversion: .asStored, dynamicRange: .kept)
        let image = try ImageCoders.shared.decode(data, options: options)
        #expect(image.bitmap.width == entry.displayedWidth)
        #expect(image.bitmap.height == entry.displayedHeight)
        #expect(!image.isPartial)
        try entry.firstFrame.check(image.bitmap)
    }

    @Test(arguments: Corpus.decodable.filter { $0.validity == .broken })
    func brokenFilesGiveAnError(_ entry: CorpusEntry) throws {
        let data = try entry.bytes()
        #expect(throws: ImageCodingError.self) {
            try ImageCoders.shared.decode(data, options: ImageDecodeOptions(allowsPartial: true))
        }
    }

    @Test(arguments: Corpus.decodable.filter { $0.validity == .partial })
    func damagedFilesGiveAnErrorOrTheRightSize(_ entry: CorpusEntry) throws {
        let data = try entry.bytes()
        do {
            let image = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(allowsPartial: true))
            #expect(image.bitmap.width == entry.displayedWidth)
            #expect(image.bitmap.height == entry.displayedHeight)
            #expect((0...1).contains(image.missingFraction))
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test(arguments: Corpus.entries.filter { $0.validity == .whole })
    func everyFormatIsRecognised(_ entry: CorpusEntry) throws {
        let found = ImageFormat.detect(try entry.bytes())
        #expect(found?.rawValue == entry.format)
    }
}
