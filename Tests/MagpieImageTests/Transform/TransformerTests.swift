import Foundation
import MagpieImage
import Testing

@Suite struct TransformerTests {
    @Test func aPipelineHasTheKeysOfItsSteps() throws {
        let steps: [any ImageTransformer] = [
            .resize(width: 100, height: 100, mode: .aspectFill),
            .rotate(angle: .pi / 4, fitsSize: false),
            .rounded(radius: 50, borderWidth: 1, borderColor: .black),
            .flip(horizontal: true, vertical: true),
            .crop(x: 0, y: 0, width: 50, height: 50),
            .tint(.clear),
            .blur(radius: 5),
        ]
        let pipeline = PipelineTransformer(steps)
        #expect(
            pipeline.key
                == "SDImageResizingTransformer({100.000000,100.000000},2)-SDImageRotationTransformer(0.785398,0)"
                + "-SDImageRoundCornerTransformer(50.000000,18446744073709551615,1.000000,#ff000000)"
                + "-SDImageFlippingTransformer(1,1)-SDImageCroppingTransformer({0.000000,0.000000,50.000000,50.000000})"
                + "-SDImageTintTransformer(#00000000,18)-SDImageBlurTransformer(5.000000)"
        )
        let picture = try Pictures.gradient(width: 300, height: 200)
        #expect(try pipeline.transform(picture).size == PixelSize(width: 50, height: 50))
    }

    @Test func anEmptyPipelineDoesNothing() throws {
        let picture = try Pictures.gradient(width: 3, height: 2)
        #expect(PipelineTransformer([]).key.isEmpty)
        #expect(try PipelineTransformer([]).transform(picture).largestDifference(from: picture) == 0)
    }

    @Test func aFailingStepFailsThePipeline() throws {
        let picture = try Pictures.gradient(width: 30, height: 20)
        let steps = PipelineTransformer([.crop(x: 30, y: 0, width: 5, height: 5), .blur(radius: 3)])
        #expect(throws: ImageCodingError.self) { try steps.transform(picture) }
    }

    @Test func closuresAreTransformers() throws {
        let cut = ClosureTransformer(key: "nothing") { (bitmap) throws(ImageCodingError) in bitmap }
        #expect(cut.key == "nothing")
        #expect(try cut.transform(Pictures.gradient(width: 3, height: 3)).width == 3)
    }

    @Test func croppingKeepsWhatLiesInside() throws {
        let picture = try Pictures.gradient(width: 40, height: 30)
        let result = try CropTransformer(rect: PixelRect(x: -5, y: 20, width: 15, height: 100)).transform(picture)
        #expect(result.size == PixelSize(width: 10, height: 10))
        for (x, y) in [(0, 0), (9, 9), (3, 7)] {
            #expect(result.pixel(x: x, y: y) == picture.pixel(x: x, y: y + 20))
        }
    }

    @Test(arguments: [
        PixelRect(x: 40, y: 0, width: 5, height: 5), PixelRect(x: 0, y: 0, width: 0, height: 5),
        PixelRect(x: -10, y: 0, width: 10, height: 5), PixelRect(x: 3, y: 3, width: -2, height: 5),
        PixelRect(x: .max, y: .max, width: .max, height: .max), PixelRect(x: .min, y: 0, width: .max, height: 5),
    ])
    func croppingNothingIsAnError(_ rect: PixelRect) throws {
        let picture = try Pictures.gradient(width: 40, height: 30)
        #expect(throws: ImageCodingError.self) { try CropTransformer(rect: rect).transform(picture) }
    }

    @Test func flippingMirrors() throws {
        let picture = try Pictures.fading(width: 21, height: 13)
        let both = try FlipTransformer(horizontal: true, vertical: true).transform(picture)
        let across = try FlipTransformer(horizontal: true, vertical: false).transform(picture)
        let down = try FlipTransformer(horizontal: false, vertical: true).transform(picture)
        for (x, y) in [(0, 0), (20, 12), (4, 9)] {
            #expect(both.pixel(x: x, y: y) == picture.pixel(x: 20 - x, y: 12 - y))
            #expect(across.pixel(x: x, y: y) == picture.pixel(x: 20 - x, y: y))
            #expect(down.pixel(x: x, y: y) == picture.pixel(x: x, y: 12 - y))
        }
        #expect(both.alpha == .straight)
    }

    @Test func aQuarterTurnIsAnticlockwiseAndExact() throws {
        let picture = try Pictures.gradient(width: 21, height: 13)
        let left = try RotateTransformer(angle: .pi / 2).transform(picture)
        #expect(left.size == PixelSize(width: 13, height: 21))
        // What was at the top right is at the top left now.
        #expect(left.pixel(x: 0, y: 0) == picture.pixel(x: 20, y: 0))
        #expect(left.pixel(x: 12, y: 20) == picture.pixel(x: 0, y: 12))
        let right = try RotateTransformer(angle: 3 * .pi / 2).transform(picture)
        #expect(right.pixel(x: 0, y: 0) == picture.pixel(x: 0, y: 12))
        let around = try RotateTransformer(angle: -.pi).transform(picture)
        #expect(around.pixel(x: 0, y: 0) == picture.pixel(x: 20, y: 12))
        #expect(try RotateTransformer(angle: 4 * .pi).transform(picture).largestDifference(from: picture) == 0)
    }

    @Test func otherAnglesTurnTheSameWay() throws {
        let picture = try Pictures.gradient(width: 60, height: 60)
        let exact = try RotateTransformer(angle: .pi / 2).transform(picture)
        let nearly = try RotateTransformer(angle: .pi / 2 - 0.001, fitsSize: false).transform(picture)
        #expect(nearly.size == exact.size)
        for (x, y) in [(5, 5), (50, 8), (30, 30), (9, 52)] {
            let (seen, was) = (try #require(nearly.pixel(x: x, y: y)), try #require(exact.pixel(x: x, y: y)))
            #expect(abs(Int(seen.r) - Int(was.r)) < 4 && abs(Int(seen.g) - Int(was.g)) < 4)
        }
    }

    @Test func aTurnedPictureHasClearCornersAndAWholeMiddle() throws {
        let picture = try Pictures.bitmap(width: 300, height: 300) { _, _ in PixelColor(r: 10, g: 200, b: 30) }
        let grown = try RotateTransformer(angle: .pi / 4).transform(picture)
        #expect((424...426).contains(grown.width) && grown.height == grown.width)
        let kept = try RotateTransformer(angle: .pi / 4, fitsSize: false).transform(picture)
        #expect(kept.size == picture.size)
        for result in [grown, kept] {
            #expect(result.pixel(x: 0, y: 0) == .clear)
            #expect(result.pixel(x: result.width / 2, y: result.height / 2) == PixelColor(r: 10, g: 200, b: 30))
        }
        // What a turn covers is as much as it was.
        let covered = stride(from: 3, to: grown.byteCount, by: 4).reduce(0.0) { sum, at in
            sum + Double(grown.withUnsafeBytes { $0[at] }) / 255
        }
        #expect(abs(covered - 90_000) < 200)
    }

    @Test func roundedCornersAreCutAndTheBorderIsDrawn() throws {
        let picture = try Pictures.bitmap(width: 100, height: 80) { _, _ in .white }
        let red = PixelColor(r: 255, g: 0, b: 0)
        let result = try RoundCornerTransformer(radius: 20, borderWidth: 2, borderColor: red).transform(picture)
        for (x, y) in [(0, 0), (99, 0), (0, 79), (99, 79), (4, 4)] { #expect(result.pixel(x: x, y: y) == .clear) }
        for (x, y) in [(0, 40), (1, 40), (99, 40), (50, 0), (50, 78)] { #expect(result.pixel(x: x, y: y) == red) }
        for (x, y) in [(2, 40), (50, 2), (50, 40), (20, 20)] { #expect(result.pixel(x: x, y: y) == .white) }
        let covered = stride(from: 3, to: result.byteCount, by: 4).reduce(0.0) { sum, at in
            sum + Double(result.withUnsafeBytes { $0[at] }) / 255
        }
        #expect(abs(covered - (8000 - (4 - .pi) * 400)) < 8)
    }

    @Test func onlyTheChosenCornersAreRounded() throws {
        let picture = try Pictures.bitmap(width: 50, height: 50) { _, _ in .white }
        let result = try RoundCornerTransformer(radius: 200, corners: [.topLeft, .bottomRight]).transform(picture)
        #expect(result.pixel(x: 0, y: 0) == .clear)
        #expect(result.pixel(x: 49, y: 49) == .clear)
        #expect(result.pixel(x: 49, y: 0) == .white)
        #expect(result.pixel(x: 0, y: 49) == .white)
    }

    @Test func aBorderThatWouldCoverAllIsNotDrawn() throws {
        let picture = try Pictures.bitmap(width: 10, height: 10) { _, _ in .white }
        let result = try RoundCornerTransformer(radius: 0, borderWidth: 5, borderColor: .black).transform(picture)
        #expect(result.pixel(x: 0, y: 5) == .white)
    }

    @Test(arguments: [
        ClosedRange(uncheckedBounds: (0.0, 0.5)), ClosedRange(uncheckedBounds: (3.0, 3.5)),
    ])
    func blurKeepsFlatColoursToTheEdges(_ radii: ClosedRange<Double>) throws {
        let color = PixelColor(r: 200, g: 100, b: 50)
        let picture = try Pictures.bitmap(width: 40, height: 7) { _, _ in color }
        for radius in [radii.lowerBound, radii.upperBound, 100, 1e9, .infinity] {
            let result = try BlurTransformer(radius: radius).transform(picture)
            #expect(result.largestDifference(from: picture) == 0)
        }
    }

    @Test func blurSpreadsAPointLikeAGaussian() throws {
        let picture = try Pictures.bitmap(width: 51, height: 51) { x, y in
            abs(x - 25) < 8 && abs(y - 25) < 8 ? .white : .black
        }
        let result = try BlurTransformer(radius: 6).transform(picture)
        func light(_ x: Int, _ y: Int) throws -> Double { Double(try #require(result.pixel(x: x, y: y)).r) / 255 }
        // A square of 15 pixels under a Gaussian of sigma 6: the error function gives these.
        func expected(_ x: Double) -> Double {
            (erf((x + 7.5) / 6 / 2.0.squareRoot()) - erf((x - 7.5) / 6 / 2.0.squareRoot())) / 2
        }
        for (x, y) in [(25, 25), (33, 25), (25, 17), (35, 35), (40, 25)] {
            let gaussian = expected(Double(x - 25)) * expected(Double(y - 25))
            #expect(abs(try light(x, y) - gaussian) < 0.06)
            #expect(try abs(light(x, y) - light(y, x)) < 0.006)
            #expect(try light(x, y) == light(50 - x, y))
        }
    }

    @Test func blurMixesNoColourOfWhatIsTransparent() throws {
        // Green that nobody sees beside red that is there.
        let picture = try Pictures.bitmap(width: 60, height: 20, alpha: .straight) { x, _ in
            x < 30 ? PixelColor(r: 255, g: 0, b: 0) : PixelColor(r: 0, g: 255, b: 0, a: 0)
        }
        let result = try BlurTransformer(radius: 4).transform(picture)
        #expect(result.alpha == .straight)
        for x in 0..<40 { #expect(try #require(result.pixel(x: x, y: 10)).g == 0) }
        #expect(try (100...150).contains(#require(result.pixel(x: 29, y: 10)).a))
    }

    @Test func framesAreTransformedWhenTheyAreAskedFor() throws {
        let frames = try ImageCoders.shared.frames(of: Pictures.file(Pictures.gradient(width: 30, height: 20), .png))
        let turned = frames.transformed(by: .rotate(angle: .pi / 2))
        #expect(try turned.frame(at: 0).size == PixelSize(width: 20, height: 30))
        #expect(throws: ImageCodingError.noSuchFrame(1, of: 1)) { try turned.frame(at: 1) }
    }
}
