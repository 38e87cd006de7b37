import Foundation
import MagpieImage
import Testing

/// Colours that files mean otherwise than sRGB; the expected ones were computed from the standards' formulas.
@Suite struct ColorTests {
    private static let displayP3 = chromaticities(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)

    private static func chromaticities(_ values: UInt32...) -> Data {
        PNGBytes.chunk("cHRM", values.map(PNGBytes.number).reduce(Data(), +))
    }

    private static func gamma(_ value: UInt32) -> Data { PNGBytes.chunk("gAMA", PNGBytes.number(value)) }

    private static func codePoints(_ primaries: UInt8, _ transfer: UInt8) -> Data {
        PNGBytes.chunk("cICP", Data([primaries, transfer, 0, 1]))
    }

    /// A PNG of one colour with chunks put before its pixels.
    private func file(_ color: PixelColor, _ chunks: Data) throws -> Data {
        let alpha: AlphaMode = color.a == 255 ? .opaque : .straight
        let bitmap = try Pictures.bitmap(width: 12, height: 8, alpha: alpha) { _, _ in color }
        return PNGBytes.inserting(chunks, into: try Pictures.file(bitmap, .png))
    }

    private func expect(_ bitmap: Bitmap, _ expected: PixelColor, within tolerance: Int = 1) throws {
        let found = try #require(bitmap.pixel(x: bitmap.width / 2, y: bitmap.height / 2))
        let differences = [(found.r, expected.r), (found.g, expected.g), (found.b, expected.b), (found.a, expected.a)]
        #expect(differences.allSatisfy { abs(Int($0) - Int($1)) <= tolerance }, "\(found), not \(expected)")
    }

    @Test(
        arguments: [
            (PixelColor(r: 200, g: 50, b: 50), PixelColor(r: 218, g: 24, b: 40)),
            (PixelColor(r: 60, g: 180, b: 70), PixelColor(r: 0, g: 183, b: 49)),
            (PixelColor(r: 128, g: 128, b: 128), PixelColor(r: 128, g: 128, b: 128)),
        ]
    )
    func displayP3IsConverted(_ stored: PixelColor, _ shown: PixelColor) throws {
        for chunks in [Self.displayP3, Self.codePoints(12, 13)] {
            for format in [PixelFormat.rgba8, .bgra8, .rgba16] {
                for size in [nil, PixelSize(width: 5, height: 4)] {
                    let options = ImageDecodeOptions(thumbnailSize: size, pixelFormat: format)
                    let bitmap = try ImageCoders.shared.decode(file(stored, chunks), options: options).bitmap
                    #expect(bitmap.colorSpace == .sRGB)
                    try expect(bitmap, shown)
                }
            }
        }
    }

    @Test func alphaStaysAndColoursBelowItAreConverted() throws {
        let data = try file(PixelColor(r: 200, g: 50, b: 50, a: 130), Self.displayP3)
        let shown = PixelColor(r: 218, g: 24, b: 40, a: 130)
        try expect(ImageCoders.shared.decode(data, options: ImageDecodeOptions(alpha: .straight)).bitmap, shown)
        try expect(ImageCoders.shared.decode(data).bitmap, shown, within: 2)
        let small = ImageDecodeOptions(thumbnailSize: PixelSize(width: 4, height: 4))
        try expect(ImageCoders.shared.decode(data, options: small).bitmap, shown, within: 2)
    }

    @Test func gammaIsAppliedUnlessSomethingBetterIsThere() throws {
        let stored = PixelColor(r: 200, g: 50, b: 50)
        try expect(ImageCoders.shared.decode(file(stored, Self.gamma(35000))).bitmap, PixelColor(r: 187, g: 25, b: 25))
        let tagged = Self.gamma(35000) + PNGBytes.chunk("sRGB", Data([0]))
        try expect(ImageCoders.shared.decode(file(stored, tagged)).bitmap, stored, within: 0)
        let points = Self.codePoints(1, 13) + Self.gamma(35000)
        try expect(ImageCoders.shared.decode(file(stored, points)).bitmap, stored, within: 0)
    }

    @Test(arguments: [UInt32(45455), 0, 1, 0xFFFF_FFFF])
    func usualAndNonsensicalGammaIsSRGB(_ value: UInt32) throws {
        let stored = PixelColor(r: 200, g: 50, b: 51)
        let bitmap = try ImageCoders.shared.decode(file(stored, Self.gamma(value))).bitmap
        try expect(bitmap, stored, within: 0)
        #expect(bitmap.colorSpace == .sRGB)
    }

    @Test func chromaticitiesOnALineAreNoError() throws {
        let chunk = Self.chromaticities(31270, 32900, 50000, 50000, 50000, 50000, 50000, 50000)
        try expect(ImageCoders.shared.decode(file(.white, chunk)).bitmap, .white)
    }

    @Test func storedColoursKeepTheirMeaning() throws {
        let stored = PixelColor(r: 200, g: 50, b: 50)
        let options = ImageDecodeOptions(colorConversion: .asStored)
        let bitmap = try ImageCoders.shared.decode(file(stored, Self.displayP3), options: options).bitmap
        try expect(bitmap, stored, within: 0)
        guard case .icc = bitmap.colorSpace else {
            Issue.record("\(bitmap.colorSpace)")
            return
        }
        // Written and read again, it means the same.
        try expect(ImageCoders.shared.decode(Pictures.file(bitmap, .png)).bitmap, PixelColor(r: 218, g: 24, b: 40))
    }

    @Test(arguments: [(0, 0), (19641, 16117), (28854, 34959), (38055, 58850), (42767, 64184), (59150, 65535)])
    func perceptualQuantiserIsToneMapped(_ stored: Int, _ shown: Int) throws {
        let bitmap = try deepPicture([UInt16(stored), UInt16(stored), UInt16(stored), 65535])
        let data = PNGBytes.inserting(Self.codePoints(9, 16), into: try Pictures.file(bitmap, .png))
        let options = ImageDecodeOptions(pixelFormat: .rgba16)
        let found = try channels(ImageCoders.shared.decode(data, options: options).bitmap)
        #expect(found.allSatisfy { abs(Int($0) - shown) <= 80 }, "\(found)")
        try expect(ImageCoders.shared.decode(data).bitmap, gray(shown / 257))
    }

    @Test func highDynamicRangeIsKeptWhenAsked() throws {
        let stored: [UInt16] = [32768, 19660, 13107, 65535]
        let bitmap = try deepPicture(stored)
        let data = PNGBytes.inserting(Self.codePoints(9, 16), into: try Pictures.file(bitmap, .png))
        let mapped = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(pixelFormat: .rgba16)).bitmap
        #expect(zip(try channels(mapped), [54470, 0, 128]).allSatisfy { abs(Int($0) - $1) <= 80 })
        let kept = try ImageCoders.shared.decode(data, options: ImageDecodeOptions(dynamicRange: .kept)).bitmap
        #expect(kept.format == .rgba16 && kept.colorSpace == .cicp(primaries: 9, transfer: 16))
        #expect(try channels(kept) == Array(stored.prefix(3)))
    }

    @Test(arguments: ["jpeg", "png"])
    func brokenProfilesAreNoError(_ name: String) throws {
        let picture = try Pictures.bitmap(width: 8, height: 8) { _, _ in PixelColor(r: 90, g: 90, b: 90) }
        var profile = Data(repeating: 7, count: 200)
        profile.replaceSubrange(16..<20, with: Data("RGB ".utf8))
        profile.replaceSubrange(36..<40, with: Data("acsp".utf8))
        var buffer = try BitmapBuffer(width: 8, height: 8, alpha: .opaque)
        buffer.withUnsafeMutableBytes { target in picture.withUnsafeBytes { target.copyMemory(from: $0) } }
        let tagged = buffer.finish(colorSpace: .icc(profile))
        let back = try ImageCoders.shared.decode(Pictures.file(tagged, ImageFormat(rawValue: name))).bitmap
        try expect(back, PixelColor(r: 90, g: 90, b: 90), within: 2)
    }

    private func gray(_ value: Int) -> PixelColor { PixelColor(r: UInt8(value), g: UInt8(value), b: UInt8(value)) }

    private func channels(_ bitmap: Bitmap) throws -> [UInt16] {
        try #require(bitmap.format == .rgba16)
        return bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self).prefix(3)) }
    }

    private func deepPicture(_ pixel: [UInt16]) throws -> Bitmap {
        var buffer = try BitmapBuffer(width: 6, height: 5, format: .rgba16, alpha: .opaque)
        buffer.withUnsafeMutableBytes { bytes in
            let values = bytes.bindMemory(to: UInt16.self)
            for index in values.indices { values[index] = pixel[index % 4] }
        }
        return buffer.finish()
    }
}

/// Files of others, against what Pillow makes of them with Little CMS.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
struct CorpusColorTests {
    @Test(
        arguments: [
            ("jpeg/image-p3.jpg", 150, 100, PixelColor(r: 168, g: 97, b: 112)),
            ("jpeg/image-p3.jpg", 450, 133, PixelColor(r: 255, g: 130, b: 58)),
            ("jpeg/ycck.jpg", 125, 83, PixelColor(r: 176, g: 175, b: 173)),
            ("jpeg/ycck.jpg", 250, 166, PixelColor(r: 169, g: 185, b: 139)),
            ("jpeg/ycck.jpg", 100, 266, PixelColor(r: 99, g: 125, b: 57)),
            ("png/gradient-8b-displayp3-alpha.png", 16, 16, PixelColor(r: 0, g: 194, b: 36, a: 153)),
            ("png/gradient-8b-displayp3-alpha.png", 12, 51, PixelColor(r: 0, g: 50, b: 214, a: 153)),
        ]
    )
    func profilesAreApplied(_ path: String, _ x: Int, _ y: Int, _ expected: PixelColor) throws {
        let entry = try #require(Corpus.entries.first { $0.path == path })
        let options = ImageDecodeOptions(alpha: .straight)
        let bitmap = try ImageCoders.shared.decode(entry.bytes(), options: options).bitmap
        let found = try #require(bitmap.pixel(x: x, y: y))
        let pairs = [(found.r, expected.r), (found.g, expected.g), (found.b, expected.b), (found.a, expected.a)]
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(found), not \(expected)")
        #expect(bitmap.colorSpace == .sRGB)
    }

    @Test func sixteenBitsAreKept() throws {
        for entry in Corpus.entries
        where entry.format == "png" && entry.bitsPerChannel == 16 && entry.validity == .whole {
            let options = ImageDecodeOptions(alpha: .straight, pixelFormat: .rgba16, colorConversion: .asStored)
            let deep = try ImageCoders.shared.decode(entry.bytes(), options: options).bitmap
            let usual = ImageDecodeOptions(alpha: .straight, colorConversion: .asStored)
            let bitmap = try ImageCoders.shared.decode(entry.bytes(), options: usual).bitmap
            #expect(deep.largestDifference(from: bitmap) == 0, "\(entry.path)")
            let values = deep.withUnsafeBytes { Set($0.bindMemory(to: UInt16.self)) }
            #expect(values.contains { $0 % 257 != 0 } || values.count <= 2, "\(entry.path)")
            let again = try ImageCoders.shared.encode(deep, as: .png)
            let back = try ImageCoders.shared.decode(again, options: options).bitmap
            #expect(back.withUnsafeBytes { Data($0) } == deep.withUnsafeBytes { Data($0) }, "\(entry.path)")
        }
    }
}
