import Foundation
import MagpieImage
import Testing

@Suite struct ResizeTransformerTests {
    @Test func keysAreThoseOfSDWebImage() {
        let transformers: [any ImageTransformer] = [
            .resize(width: 96, height: 48, mode: .fill), .resize(width: 1, height: 2, mode: .aspectFill),
        ]
        #expect(
            transformers.map(\.key) == [
                "SDImageResizingTransformer({96.000000,48.000000},0)",
                "SDImageResizingTransformer({1.000000,2.000000},2)",
            ]
        )
    }

    @Test func fillStretches() throws {
        let picture = try Pictures.gradient(width: 100, height: 50)
        let result = try ResizeTransformer(width: 30, height: 60).transform(picture)
        #expect(result.size == PixelSize(width: 30, height: 60))
        #expect(result.alpha == .opaque)
        #expect(try abs(Int(#require(result.pixel(x: 15, y: 30)).r) - 131) < 4)
    }

    @Test func fitLeavesTransparentBars() throws {
        let picture = try Pictures.bitmap(width: 100, height: 50) { _, _ in .white }
        let result = try ResizeTransformer(width: 40, height: 40, mode: .fit).transform(picture)
        #expect(result.size == PixelSize(width: 40, height: 40))
        #expect(result.alpha == .premultiplied)
        #expect(result.pixel(x: 20, y: 9) == .clear)
        #expect(result.pixel(x: 20, y: 10) == .white)
        #expect(result.pixel(x: 20, y: 29) == .white)
        #expect(result.pixel(x: 20, y: 30) == .clear)
    }

    @Test func aspectFillCutsOffWhatHangsOver() throws {
        // Blue bars of a quarter at either side of red.
        let picture = try Pictures.bitmap(width: 80, height: 40) { x, _ in
            (20..<60).contains(x) ? PixelColor(r: 255, g: 0, b: 0) : PixelColor(r: 0, g: 0, b: 255)
        }
        let result = try ResizeTransformer(width: 20, height: 20, mode: .aspectFill).transform(picture)
        #expect(result.size == PixelSize(width: 20, height: 20))
        for x in 2..<18 { #expect(try #require(result.pixel(x: x, y: 10)).r > 240) }
    }

    @Test func enlargingKeepsAFlatColourAndItsAlpha() throws {
        let flat = try Pictures.bitmap(width: 3, height: 2, alpha: .straight) { _, _ in
            PixelColor(r: 200, g: 100, b: 50, a: 255)
        }
        let result = try ResizeTransformer(width: 300, height: 211).transform(flat)
        #expect(result.alpha == .straight)
        #expect(result.pixel(x: 299, y: 210) == PixelColor(r: 200, g: 100, b: 50))
        #expect(result.pixel(x: 0, y: 0) == PixelColor(r: 200, g: 100, b: 50))
    }

    @Test(arguments: [ResizeTransformer.Mode.fill, .fit, .aspectFill])
    func straightColoursStayAsTheyAreToTheEdges(_ mode: ResizeTransformer.Mode) throws {
        let color = PixelColor(r: 200, g: 100, b: 50, a: 128)
        for (width, height) in [(30, 300), (300, 30), (7, 5)] {
            let flat = try Pictures.bitmap(width: width, height: height, alpha: .straight) { _, _ in color }
            let result = try ResizeTransformer(width: 250, height: 251, mode: mode).transform(flat)
            #expect(result.alpha == .straight)
            result.withUnsafeBytes { bytes in
                for at in stride(from: 0, to: bytes.count, by: 4) where bytes[at + 3] != 0 {
                    let shown = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]].map(Int.init)
                    // A premultiplied colour of 8 bits comes back rounded.
                    let isNear = zip(shown, [200, 100, 50, 128]).allSatisfy { abs($0 - $1) <= 2 }
                    if !isNear { Issue.record("\(shown) at pixel \(at / 4)") }
                }
            }
        }
    }

    @Test func premultipliedColoursNeverExceedAlpha() throws {
        let picture = try Pictures.bitmap(width: 60, height: 60, alpha: .premultiplied) { x, y in
            (x / 5 + y / 7) % 2 == 0 ? .clear : .white
        }
        let result = try ResizeTransformer(width: 47, height: 31).transform(picture)
        result.withUnsafeBytes { bytes in
            for at in stride(from: 0, to: bytes.count, by: 4) { #expect(bytes[at] <= bytes[at + 3]) }
        }
    }

    @Test func impossibleSizesAreErrorsAndNotCrashes() throws {
        let picture = try Pictures.gradient(width: 2, height: 2)
        for mode in [ResizeTransformer.Mode.fill, .fit, .aspectFill] {
            #expect(throws: ImageCodingError.self) {
                try ResizeTransformer(width: Int.max, height: Int.max, mode: mode).transform(picture)
            }
        }
        #expect(try ResizeTransformer(width: -4, height: 0).transform(picture).size == PixelSize(width: 1, height: 1))
    }
}
