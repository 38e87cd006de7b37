import Foundation
import MagpieImage
import Testing

@Suite struct TintTransformerTests {
    private let half = PixelColor(r: 100, g: 200, b: 50, a: 128)
    private let opaque = PixelColor(r: 100, g: 200, b: 50)

    private func tinted(_ below: PixelColor, _ color: PixelColor, _ mode: BlendMode) throws -> PixelColor {
        let picture = try Pictures.bitmap(width: 2, height: 2, alpha: .straight) { _, _ in below }
        return try #require(TintTransformer(color: color, blendMode: mode).transform(picture).pixel(x: 1, y: 1))
    }

    private func expect(_ seen: PixelColor, _ wanted: PixelColor, within tolerance: Int = 1) {
        let parts = [(seen.r, wanted.r), (seen.g, wanted.g), (seen.b, wanted.b), (seen.a, wanted.a)]
        #expect(parts.allSatisfy { abs(Int($0.0) - Int($0.1)) <= tolerance }, "\(seen) is not \(wanted)")
    }

    @Test func theUsualModeColoursThePicturesShape() throws {
        let blue = PixelColor(r: 0, g: 0, b: 255)
        #expect(try tinted(.clear, blue, .sourceIn) == .clear)
        #expect(try tinted(opaque, blue, .sourceIn) == blue)
        expect(try tinted(half, blue, .sourceIn), PixelColor(r: 0, g: 0, b: 255, a: 128))
    }

    @Test func aClearTintChangesNothing() throws {
        #expect(try tinted(half, .clear, .copy) == half)
    }

    // Backdrop (100, 200, 50), source (200, 40, 120), both opaque; by the formulas of W3C Compositing and Blending §10.
    @Test(arguments: [
        (BlendMode.normal, 200, 40, 120), (.multiply, 78, 31, 24), (.screen, 222, 209, 146), (.overlay, 157, 162, 47),
        (.darken, 100, 40, 50), (.lighten, 200, 200, 120), (.colorDodge, 255, 237, 94), (.colorBurn, 57, 0, 0),
        (.hardLight, 189, 63, 47), (.difference, 100, 160, 70), (.exclusion, 143, 177, 123), (.softLight, 134, 170, 48),
        (.plusLighter, 255, 240, 170), (.plusDarker, 45, 0, 0),
    ])
    func separableModesFollowTheirFormulas(_ mode: BlendMode, _ r: UInt8, _ g: UInt8, _ b: UInt8) throws {
        expect(
            try tinted(opaque, PixelColor(r: 200, g: 40, b: 120), mode),
            PixelColor(r: r, g: g, b: b)
        )
    }

    @Test func nonSeparableModesKeepWhatTheyPromise() throws {
        let source = PixelColor(r: 200, g: 40, b: 120)
        func luminosity(_ color: PixelColor) -> Double {
            0.3 * Double(color.r) + 0.59 * Double(color.g) + 0.11 * Double(color.b)
        }
        for mode in [BlendMode.hue, .saturation, .color] {
            #expect(abs(luminosity(try tinted(opaque, source, mode)) - luminosity(opaque)) < 1.5)
        }
        #expect(abs(luminosity(try tinted(opaque, source, .luminosity)) - luminosity(source)) < 1.5)
        // Gray has no hue to give.
        let gray = try tinted(opaque, PixelColor(r: 9, g: 9, b: 9), .color)
        #expect(gray.r == gray.g && gray.g == gray.b)
    }

    // Below covers half, the source three quarters.
    @Test(arguments: [
        (BlendMode.clear, 0.0), (.copy, 0.75), (.sourceIn, 0.375), (.sourceOut, 0.375), (.sourceAtop, 0.5),
        (.normal, 0.875), (.destinationOver, 0.875), (.destinationIn, 0.375), (.destinationOut, 0.125),
        (.destinationAtop, 0.75), (.xor, 0.5), (.multiply, 0.875), (.plusLighter, 1), (.plusDarker, 1),
    ])
    func coverageFollowsPorterAndDuff(_ mode: BlendMode, _ alpha: Double) throws {
        let result = try tinted(half, PixelColor(r: 255, g: 0, b: 0, a: 191), mode)
        #expect(abs(Double(result.a) / 255 - alpha) < 0.01)
    }

    @Test func everyModeStaysWithinTheRules() throws {
        let samples = [PixelColor.clear, .white, .black, half, opaque, PixelColor(r: 255, g: 0, b: 1, a: 3)]
        for mode in BlendMode.allCases {
            for below in samples {
                for color in samples {
                    let picture = try Pictures.bitmap(width: 1, height: 1, alpha: .straight) { _, _ in below }
                    _ = try TintTransformer(color: color, blendMode: mode).transform(picture)
                }
            }
        }
    }
}
