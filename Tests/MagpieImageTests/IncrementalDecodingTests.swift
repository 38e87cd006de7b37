import Foundation
import MagpieImage
import Testing

/// Decoding while the bytes arrive.
@Suite(.serialized) struct IncrementalDecodingTests {
    /// Files of every format that shows something before it is whole, each of a few thousand bytes.
    private static func files() throws -> [(String, Data)] {
        try Pictures.files()
    }

    private static let optionsTried = [
        ImageDecodeOptions(),
        ImageDecodeOptions(thumbnailSize: PixelSize(width: 20, height: 15), alpha: .straight, allowsPartial: true),
        ImageDecodeOptions(limits: ImageLimits(maximumPixels: 40), allowsPartial: true),
    ]

    @Test func theResultIsThatOfOneDecode() throws {
        for (name, file) in try Self.files() {
            for options in Self.optionsTried {
                let expected = Outcome { () throws(ImageCodingError) in
                    try ImageCoders.shared.decode(file, options: options)
                }
                for size in options == Self.optionsTried[0] ? [1, 7, 1000] : [13] {
                    #expect(Outcome(of: file, in: size, options) == expected, "\(name) by \(size)")
                }
            }
        }
    }

    @Test func cutFilesGiveWhatOneDecodeGives() throws {
        for (name, file) in try Self.files() {
            for length in stride(from: 0, to: file.count, by: 1 + file.count / 25) {
                let cut = file.prefix(length)
                for allowsPartial in [false, true] {
                    let options = ImageDecodeOptions(allowsPartial: allowsPartial)
                    let expected = Outcome { () throws(ImageCodingError) in
                        try ImageCoders.shared.decode(cut, options: options)
                    }
                    #expect(Outcome(of: cut, in: 50, options) == expected, "\(name) cut to \(length)")
                }
            }
        }
    }

    @Test(
        .enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"),
        arguments: Corpus.decodable
    )
    func realFilesGiveWhatOneDecodeGives(_ entry: CorpusEntry) throws {
        let file = try entry.bytes()
        // Without optimisation large files take minutes, and leave the other tests no time.
        if !Corpus.isOptimised, file.count > 12_000 || (entry.width ?? 0) * (entry.height ?? 0) > 100_000 { return }
        for (index, options) in Self.optionsTried.enumerated() {
            let expected = Outcome { () throws(ImageCodingError) in
                try ImageCoders.shared.decode(file, options: options)
            }
            let isSmall = file.count < 4_000 || Corpus.isOptimised
            let sizes = isSmall && index == 0 ? [1, 7, 1000, 65_536] : [1000 + index, 65_536]
            for size in sizes {
                #expect(Outcome(of: file, in: size, options) == expected, "by \(size)")
            }
        }
    }

    /// The rows that a preview shows are those of the picture.
    @Test func previewsShowTheTop() throws {
        let picture = try Pictures.bitmap(width: 120, height: 160) { x, y in
            PixelColor(r: UInt8(truncatingIfNeeded: x &* y), g: UInt8(truncatingIfNeeded: x ^ y), b: UInt8(x))
        }
        for format in Pictures.formats {
            let file = try Pictures.file(picture, format)
            let whole = try ImageCoders.shared.decode(file)
            let decoder = ImageCoders.shared.incrementalDecoder()
            var previews = 0
            var missing = 1.0
            for start in stride(from: 0, to: file.count - 1, by: 500) {
                try decoder.append(file.dropFirst(start).prefix(500))
                guard let preview = try decoder.preview() else { continue }
                previews += 1
                #expect(preview.isPartial)
                #expect(preview.bitmap.size == whole.bitmap.size)
                #expect(preview.missingFraction < missing, "\(format)")
                missing = preview.missingFraction
                let rows = Int((160 * (1 - missing)).rounded())
                for (x, y) in [(0, 0), (119, rows - 1), (60, rows / 2)] {
                    #expect(preview.bitmap.pixel(x: x, y: y) == whole.bitmap.pixel(x: x, y: y), "\(format)")
                }
                if rows < 150 { #expect(preview.bitmap.pixel(x: 60, y: 159)?.a == 0) }
                #expect(try decoder.preview() == nil)
            }
            #expect(previews > 3, "\(format)")
            #expect(decoder.info == whole.info)
            #expect(try Outcome(decoder.finish()) == Outcome(whole))
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func aProgressivePictureGrowsSharper() throws {
        let entry = try #require(Corpus.entries.first { $0.path == "jpeg/cat.jpg" })
        let file = try entry.bytes()
        let whole = try ImageCoders.shared.decode(file).bitmap
        let decoder = ImageCoders.shared.incrementalDecoder()
        var differences: [Double] = []
        for start in stride(from: 0, to: file.count, by: 500) {
            try decoder.append(file.dropFirst(start).prefix(500))
            guard let preview = try decoder.preview(), preview.bitmap.alpha == .opaque else { continue }
            differences.append(Self.meanDifference(preview.bitmap, whole))
        }
        #expect(differences.count >= 3)
        #expect(differences == differences.sorted(by: >))
        #expect((differences.first ?? 0) > 2 && (differences.last ?? 9) < 2, "\(differences)")
    }

    #if GIF
    @Test func anAnimationShowsItsFirstFrame() throws {
        let frame = GIFBytes.Frame(width: 40, height: 40, indices: (0..<1600).map { UInt8($0 * 7 / 5 % 4) })
        let file = GIFBytes.file(width: 40, height: 40, frames: [frame, frame])
        let whole = try ImageCoders.shared.decode(file)
        let decoder = ImageCoders.shared.incrementalDecoder()
        var previews: [DecodedImage] = []
        for start in stride(from: 0, to: file.count - 10, by: 20) {
            try decoder.append(file[start..<min(start + 20, file.count - 10)])
            if let preview = try decoder.preview() { previews.append(preview) }
        }
        #expect(previews.count > 3)
        for preview in previews {
            let rows = Int((40 * (1 - preview.missingFraction)).rounded())
            #expect(preview.bitmap.pixel(x: 39, y: rows - 1) == whole.bitmap.pixel(x: 39, y: rows - 1))
            if rows < 40 { #expect(preview.bitmap.pixel(x: 0, y: 39)?.a == 0) }
        }
        #expect(previews.last?.bitmap.largestDifference(from: whole.bitmap) == 0)
    }
    #endif

    @Test func anErrorComesAgain() throws {
        let decoder = ImageCoders.shared.incrementalDecoder()
        let expected = ImageCodingError.tooLarge(width: 60000, height: 60000, limitPixels: 268_435_456)
        let file = PNGBytes.header(width: 60000, height: 60000) + Data(count: 100)
        #expect(throws: expected) { try decoder.append(file) }
        #expect(throws: expected) { try decoder.append(file) }
        #expect(throws: expected) { try decoder.finish() }
    }

    @Test func aCoderThatNeedsAllBytesGetsThem() throws {
        let coders = ImageCoders([WholeFileCoder()])
        let decoder = coders.incrementalDecoder()
        for byte in [UInt8](repeating: 7, count: 100) {
            try decoder.append(Data([byte]))
            #expect(try decoder.preview() == nil)
        }
        #expect(try decoder.finish().bitmap.width == 100)
    }

    /// What is no picture is told at the end, in the words of one decode.
    @Test(arguments: [Data(), Data("<html></html>".utf8), Data(repeating: 1, count: 500)])
    func whatIsNoPictureIsToldAtTheEnd(_ file: Data) {
        let expected = Outcome { () throws(ImageCodingError) in try ImageCoders.shared.decode(file) }
        #expect(Outcome(of: file, in: 10, ImageDecodeOptions()) == expected)
    }

    private static func meanDifference(_ one: Bitmap, _ other: Bitmap) -> Double {
        let (one, other) = (one.straightRGBA(), other.straightRGBA())
        return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
    }
}

/// What came of a decode: all that a caller can see of the picture, or the error.
private enum Outcome: Equatable {
    case picture(PixelSize, AlphaMode, ColorSpace, Data, ImageInfo, missing: Double, isPartial: Bool)
    case failure(ImageCodingError)

    init(_ image: DecodedImage) {
        self = .picture(
            image.bitmap.size,
            image.bitmap.alpha,
            image.bitmap.colorSpace,
            image.bitmap.withUnsafeBytes { Data($0) },
            image.info,
            missing: image.missingFraction,
            isPartial: image.isPartial
        )
    }

    init(_ decode: () throws(ImageCodingError) -> DecodedImage) {
        do throws(ImageCodingError) {
            self.init(try decode())
        } catch {
            self = .failure(error)
        }
    }

    /// Feeds the file in pieces, with a preview now and then, which must change nothing.
    init(of file: Data, in size: Int, _ options: ImageDecodeOptions) {
        self.init { () throws(ImageCodingError) in
            let decoder = ImageCoders.shared.incrementalDecoder(options: options)
            var pieces = 0
            for start in stride(from: 0, to: file.count, by: size) {
                try decoder.append(file.dropFirst(start).prefix(size))
                pieces += 1
                if pieces % max(2, file.count / size / 5) == 0 { _ = try decoder.preview() }
            }
            return try decoder.finish()
        }
    }
}

/// A coder of a format of one byte's many repetitions, whose number is the width.
private struct WholeFileCoder: ImageCoder {
    var decodableFormats: [ImageFormat] { [ImageFormat(rawValue: "sevens")] }

    func canDecode(_ data: Data) -> Bool { data.first == 7 }

    func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        ImageInfo(format: decodableFormats[0], width: data.count, height: 1)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
        let buffer = try BitmapBuffer(width: data.count, height: 1, alpha: .opaque)
        return DecodedImage(bitmap: buffer.finish(), info: try info(data, limits: options.limits))
    }
}
