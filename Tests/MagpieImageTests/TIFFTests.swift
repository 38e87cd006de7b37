#if TIFF
import Foundation
import MagpieImage
import Testing

@Suite struct TIFFTests {
    /// Writes a little-endian file with one strip; fields of one 16- or 32-bit number.
    private func file(_ fields: [(tag: Int, value: Int)], pixels: [UInt8], next: Int = 0) -> Data {
        func short(_ value: Int) -> Data { withUnsafeBytes(of: UInt16(value).littleEndian) { Data($0) } }
        func long(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) } }
        let offset = 8 + 2 + 12 * (fields.count + 2) + 4
        let all = (fields + [(273, offset), (279, pixels.count)]).sorted { $0.tag < $1.tag }
        var data = Data("II*\0".utf8) + long(8) + short(all.count)
        for field in all { data += short(field.tag) + short(4) + long(1) + long(field.value) }
        return data + long(next) + Data(pixels)
    }

    private func gray(bits: Int, pixels: [UInt8], more: [(tag: Int, value: Int)] = [], next: Int = 0) -> Data {
        file(
            [(256, 2), (257, 1), (258, bits), (259, 1), (262, 1), (277, 1), (278, 1)] + more,
            pixels: pixels,
            next: next
        )
    }

    @Test func sixteenBitsAreRounded() throws {
        let image = try ImageCoders.shared.decode(gray(bits: 16, pixels: [0xFF, 0x7F, 0x81, 0x00]))
        #expect(image.info.bitsPerChannel == 16)
        #expect(image.bitmap.pixel(x: 0, y: 0)?.r == 127)
        #expect(image.bitmap.pixel(x: 1, y: 0)?.r == 1)
    }

    @Test func thirtyTwoBitsAreRefusedByName() throws {
        #expect(throws: ImageCodingError.unsupportedFeature(.tiff, "32 bits a sample")) {
            try ImageCoders.shared.decode(gray(bits: 32, pixels: [0, 0, 0, 0, 0, 0, 0, 0]))
        }
    }

    @Test func theOrientationIsApplied() throws {
        let image = try ImageCoders.shared.decode(gray(bits: 8, pixels: [10, 20], more: [(274, 6)]))
        #expect(image.bitmap.size == PixelSize(width: 1, height: 2))
        #expect(image.bitmap.pixel(x: 0, y: 1)?.g == 20)
    }

    @Test func aDirectoryThatFollowsItselfEnds() throws {
        #expect(try ImageCoders.shared.info(gray(bits: 8, pixels: [1, 2], next: 8)).frameCount == 1)
    }

    @Test func sizesAreCheckedFirst() throws {
        let huge = file([(256, 60000), (257, 60000), (258, 8), (262, 1), (277, 1), (278, 60000)], pixels: [0])
        #expect(throws: ImageCodingError.tooLarge(width: 60000, height: 60000, limitPixels: 268_435_456)) {
            try ImageCoders.shared.decode(huge)
        }
        let strip = file([(256, 2000), (257, 2000), (258, 8), (262, 1), (277, 1), (278, 2000)], pixels: [0])
        let error = #expect(throws: ImageCodingError.self) {
            try ImageCoders.shared.decode(
                strip,
                options: ImageDecodeOptions(limits: ImageLimits(maximumBytes: 1_000_000))
            )
        }
        #expect(error?.code == "out-of-memory")
    }

    @Test func thumbnailsAndPartialPicturesComeStripByStrip() throws {
        let picture = try Pictures.gradient(width: 300, height: 400)
        let data = try Pictures.file(picture, .tiff)
        let options = ImageDecodeOptions(thumbnailSize: PixelSize(width: 30, height: 40))
        let small = try ImageCoders.shared.decode(data, options: options).bitmap
        #expect(small.size == PixelSize(width: 30, height: 40))
        let first = try #require(small.pixel(x: 15, y: 20))
        #expect(abs(Int(first.r) - 131) < 4 && abs(Int(first.g) - 131) < 4, "\(first)")
    }

    @Test func profilesSurvive() throws {
        var profile = Data(count: 128)
        profile.replaceSubrange(36..<40, with: Data("acsp".utf8))
        profile.replaceSubrange(16..<20, with: Data("RGB ".utf8))
        let buffer = try BitmapBuffer(width: 3, height: 3, alpha: .opaque)
        let bitmap = buffer.finish(colorSpace: .icc(profile))
        #expect(
            try ImageCoders.shared.decode(
                Pictures.file(bitmap, .tiff),
                options: ImageDecodeOptions(colorConversion: .asStored)
            ).bitmap.colorSpace == .icc(profile)
        )
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func pagesAreFrames() throws {
        let entry = try #require(Corpus.entries.first { $0.path == "tiff/multipage.tiff" })
        let pages = try ImageCoders.shared.frames(of: entry.bytes())
        #expect(pages.frameCount == 3)
        #expect(try pages.frame(at: 0).size != pages.frame(at: 2).size)
        #expect(throws: ImageCodingError.noSuchFrame(3, of: 3)) { try pages.frame(at: 3) }
    }
}
#endif
