import Foundation
import MagpieImage
import Testing

@Suite struct EncodingTests {
    @Test func losslessFormatsGiveThePixelsBack() throws {
        let straight = ImageDecodeOptions(alpha: .straight)
        for picture in [try Pictures.gradient(width: 37, height: 19), try Pictures.fading(width: 37, height: 19)] {
            for format in Pictures.losslessFormats {
                let options = ImageEncodeOptions(isLossless: true)
                let file = try ImageCoders.shared.encode(picture, as: format, options: options)
                let back = try ImageCoders.shared.decode(file, options: straight)
                #expect(back.bitmap.alpha == picture.alpha)
                #expect(back.info.hasAlpha == (picture.alpha != .opaque))
                // What is transparent may lose its colour.
                for x in 1..<37 { #expect(back.bitmap.pixel(x: x, y: 7) == picture.pixel(x: x, y: 7)) }
            }
        }
    }

    @Test(arguments: Pictures.formats.filter { $0 != .png })
    func lossyFormatsComeNearAndQualityCounts(_ format: ImageFormat) throws {
        let picture = try Pictures.gradient(width: 64, height: 64)
        let good = try Pictures.file(picture, format, quality: 1)
        let poor = try Pictures.file(picture, format, quality: 0.05)
        #expect(good.count > poor.count)
        #expect(try #require(ImageCoders.shared.decode(good).bitmap.largestDifference(from: picture)) < 12)
        for quality in [-1, 2, Double.nan, .infinity] {
            #expect(!(try Pictures.file(picture, format, quality: quality)).isEmpty)
        }
    }

    @Test func jpegPutsTheBackgroundBehindTransparency() throws {
        let clear = try Pictures.bitmap(width: 16, height: 16, alpha: .straight) { _, _ in .clear }
        let half = try Pictures.bitmap(width: 16, height: 16, alpha: .straight) { _, _ in
            PixelColor(r: 255, g: 255, b: 255, a: 128)
        }
        let onWhite = try ImageCoders.shared.decode(ImageCoders.shared.encode(clear, as: .jpeg)).bitmap
        #expect(onWhite.pixel(x: 3, y: 3) == .white)
        let black = ImageEncodeOptions(background: .black)
        let onBlack = try ImageCoders.shared.decode(ImageCoders.shared.encode(clear, as: .jpeg, options: black)).bitmap
        #expect(onBlack.pixel(x: 3, y: 3) == .black)
        let gray = try ImageCoders.shared.decode(ImageCoders.shared.encode(half, as: .jpeg, options: black)).bitmap
        #expect(try abs(Int(#require(gray.pixel(x: 3, y: 3)).r) - 128) <= 1)
    }

    @Test func premultipliedAndStraightBitmapsGiveTheSameFile() throws {
        let straight = try Pictures.fading(width: 256, height: 8)
        let file = try Pictures.file(straight, .png)
        let premultiplied = try ImageCoders.shared.decode(file).bitmap
        #expect(premultiplied.alpha == .premultiplied)
        let back = try ImageCoders.shared.decode(Pictures.file(premultiplied, .png)).bitmap
        #expect(back.largestDifference(from: premultiplied) == 0)
        for format in [ImageFormat.jpeg] {
            let first = try ImageCoders.shared.decode(Pictures.file(straight, format)).bitmap
            let second = try ImageCoders.shared.decode(Pictures.file(premultiplied, format)).bitmap
            #expect(try #require(first.largestDifference(from: second)) <= 3)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func profilesSurvive() throws {
        let entry = try #require(Corpus.entries.first { $0.path == "jpeg/image-p3.jpg" })
        let stored = ImageDecodeOptions(colorConversion: .asStored)
        let bitmap = try ImageCoders.shared.decode(entry.bytes(), options: stored).bitmap
        guard case .icc(let profile) = bitmap.colorSpace else {
            Issue.record("the file has a profile")
            return
        }
        #expect(!profile.isEmpty)
        for format in Pictures.formats {
            let back = try ImageCoders.shared.decode(Pictures.file(bitmap, format), options: stored).bitmap
            #expect(back.colorSpace == bitmap.colorSpace, "\(format)")
        }
    }

    @Test func sizesThatAFormatCannotHoldAreErrors() throws {
        let wide = try BitmapBuffer(width: 70000, height: 1, alpha: .opaque).finish()
        #expect(throws: ImageCodingError.cannotEncode(.jpeg, "a side is longer than 65500 pixels")) {
            try ImageCoders.shared.encode(wide, as: .jpeg)
        }
        #if WebP
        #expect(throws: ImageCodingError.cannotEncode(.webp, "a side is longer than 16383 pixels")) {
            try ImageCoders.shared.encode(wide, as: .webp)
        }
        #endif
        #expect(try ImageCoders.shared.decode(ImageCoders.shared.encode(wide, as: .png)).bitmap.width == 70000)
    }
}
