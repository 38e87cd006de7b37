import Foundation
import MagpieImage
import Testing

/// A stream that goes on behind the last row would be inflated to its end, which may be a thousand times its size.
@Test func dataBehindTheLastRowIsNotRead() throws {
    func stored(_ bytes: [UInt8]) -> Data {
        let length = UInt16(bytes.count)
        let head = [0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
        return Data(head + bytes)
    }
    // Two rows of three grey pixels, each behind its filter byte, and half a megabyte of nothing; no end.
    var stream = Data([0x78, 0x01]) + stored([0, 10, 20, 30, 0, 40, 50, 60])
    for _ in 0..<8 { stream += stored([UInt8](repeating: 0, count: 65_535)) }
    var header = PNGBytes.number(3) + PNGBytes.number(2)
    header += Data([8, 0, 0, 0, 0])
    let file = PNGBytes.signature + PNGBytes.chunk("IHDR", header) + PNGBytes.chunk("IDAT", stream)
    let image = try ImageCoders.shared.decode(file)
    #expect(!image.isPartial)
    #expect(image.bitmap.pixel(x: 2, y: 1)?.r == 60)
    #expect(image.bitmap.pixel(x: 0, y: 0)?.g == 10)
}

/// Files that are cut off, damaged or lying: a typed error or a partial picture, and never a crash.
@Suite struct HostileInputTests {
    @Test func sizesAreCheckedBeforeMemoryIsAskedFor() throws {
        let file = PNGBytes.header(width: 60000, height: 60000)
        let expected = ImageCodingError.tooLarge(width: 60000, height: 60000, limitPixels: 268_435_456)
        #expect(throws: expected) { try ImageCoders.shared.decode(file) }
        #expect(throws: expected) { try ImageCoders.shared.info(file) }
        #expect(
            expected.description == "claims 60000 x 60000 pixels (14.4 GB); the limit is 268 megapixels"
        )
        #if GIF
        #expect(throws: ImageCodingError.tooLarge(width: 65535, height: 65535, limitPixels: 268_435_456)) {
            try ImageCoders.shared.decode(
                GIFBytes.file(width: 65535, height: 65535, frames: [.init(indices: [0, 1, 2, 3])])
            )
        }
        #endif
    }

    @Test func limitsCanBeSet() throws {
        let file = try Pictures.file(Pictures.gradient(width: 20, height: 10), .png)
        let tight = ImageDecodeOptions(limits: ImageLimits(maximumPixels: 199))
        #expect(throws: ImageCodingError.tooLarge(width: 20, height: 10, limitPixels: 199)) {
            try ImageCoders.shared.decode(file, options: tight)
        }
        let exact = ImageDecodeOptions(limits: ImageLimits(maximumPixels: 200, maximumBytes: 800))
        #expect(try ImageCoders.shared.decode(file, options: exact).bitmap.width == 20)
        let poor = ImageDecodeOptions(limits: ImageLimits(maximumBytes: 799))
        #expect(throws: ImageCodingError.outOfMemory(bytes: 800)) {
            try ImageCoders.shared.decode(file, options: poor)
        }
    }

    @Test(arguments: [
        Data(), Data("<html/>".utf8), Data([0, 1, 2, 3]), Data("Not found".utf8), Data([0xFF, 0xD8, 0xFF]),
    ])
    func errorsSayWhatToDo(_ file: Data) {
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.info(file) }
        #expect(error?.description.contains("; ") == true, "\(String(describing: error))")
    }

    /// A baseline JPEG of one scan for each component, of which the whole picture must be kept.
    private static let scanByScan: Data = {
        var file = Data([0xFF, 0xD8])
        file += Data([0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64))
        file += Data([0xFF, 0xC0, 0, 17, 8, 1, 0, 1, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        for kind: UInt8 in [0, 0x10] {
            file += Data([0xFF, 0xC4, 0, 20, kind, 1] + [UInt8](repeating: 0, count: 15) + [0])
        }
        for component: UInt8 in 1...3 {
            file += Data([0xFF, 0xDA, 0, 8, 1, component, 0, 0, 63, 0] + [UInt8](repeating: 0, count: 256))
        }
        return file + Data([0xFF, 0xD9])
    }()

    @Test func lackOfMemoryIsNoDamage() throws {
        #expect(try ImageCoders.shared.decode(Self.scanByScan).bitmap.width == 256)
        let poor = ImageDecodeOptions(limits: ImageLimits(maximumBytes: 300_000))
        let error = #expect(throws: ImageCodingError.self) {
            try ImageCoders.shared.decode(Self.scanByScan, options: poor)
        }
        #expect(error?.code == "out-of-memory", "\(String(describing: error))")
    }

    @Test func animationsOfTooManyFramesAreRefused() throws {
        let limits = ImageLimits(maximumFrames: 2)
        for (format, file) in Self.animations(frames: 3) {
            let expected = ImageCodingError.tooManyFrames(format, limit: 2)
            #expect(try ImageCoders.shared.info(file).frameCount == 3)
            #expect(throws: expected) { try ImageCoders.shared.info(file, limits: limits) }
            #expect(throws: expected) {
                try ImageCoders.shared.decode(file, options: ImageDecodeOptions(limits: limits))
            }
        }
        for (_, file) in Self.animations(frames: 2) {
            #expect(try ImageCoders.shared.info(file, limits: limits).frameCount == 2)
        }
    }

    @Test func animationsThatPlayTooLongAreRefused() throws {
        for (format, file) in Self.animations(frames: 2) {
            let total = try ImageCoders.shared.info(file).frameDurations.reduce(0, +)
            let exact = ImageLimits(maximumDuration: .milliseconds(total))
            #expect(try ImageCoders.shared.info(file, limits: exact).frameCount == 2)
            let short = Duration.milliseconds(total - 1)
            #expect(throws: ImageCodingError.tooLong(format, limit: short)) {
                try ImageCoders.shared.info(file, limits: ImageLimits(maximumDuration: short))
            }
        }
    }

    private static func animations(frames: Int) -> [(ImageFormat, Data)] {
        let controls = (0..<frames).map { number in
            PNGBytes.chunk(
                "fcTL",
                [number, 1, 1].map { PNGBytes.number(UInt32($0)) }.reduce(Data(), +) + Data(count: 14)
            )
        }
        var animations: [(ImageFormat, Data)] = [
            (
                .apng,
                PNGBytes.inserting(
                    controls.reduce(PNGBytes.chunk("acTL", Data(count: 8)), +),
                    into: PNGBytes.header(width: 1, height: 1)
                )
            )
        ]
        #if GIF
        let frame = GIFBytes.Frame(indices: [0, 1, 2, 3])
        animations.append(
            (.gif, GIFBytes.file(width: 2, height: 2, frames: [GIFBytes.Frame](repeating: frame, count: frames)))
        )
        #endif
        #if WebP
        if let file = try? WebPBytes.animation(frames: frames) { animations.append((.webp, file)) }
        #endif
        return animations
    }

    #if WebP
    @Test func chunksThatAreNoFramesAreCountedToo() throws {
        let file = try WebPBytes.animation(frames: 1, otherChunks: 10_001)
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.info(file) }
        #expect(error?.code == "corrupt")
    }
    #endif

    @Test func everyCutIsAnErrorOrMarkedPartial() throws {
        for (name, file) in try Pictures.files() {
            for length in 0..<file.count {
                let cut = file.prefix(length)
                // A trailing marker or block that pixels do not need may be missing unnoticed.
                let isPixelData = length < file.count - 12
                if isPixelData {
                    #expect(throws: ImageCodingError.self, "\(name) cut to \(length)") {
                        try ImageCoders.shared.decode(cut)
                    }
                }
                let options = ImageDecodeOptions(
                    thumbnailSize: length % 2 == 0 ? nil : PixelSize(width: 9, height: 9),
                    allowsPartial: true
                )
                if let image = try? ImageCoders.shared.decode(cut, options: options) {
                    #expect(image.isPartial || !isPixelData, "\(name) cut to \(length)")
                }
            }
        }
    }

    @Test func aPartialPictureShowsItsTop() throws {
        let picture = try Pictures.bitmap(width: 200, height: 200) { x, y in
            PixelColor(r: UInt8(truncatingIfNeeded: x &* y), g: UInt8(truncatingIfNeeded: x ^ y), b: UInt8(x))
        }
        for format in Pictures.formats {
            let file = try Pictures.file(picture, format)
            let whole = try ImageCoders.shared.decode(file).bitmap
            let options = ImageDecodeOptions(allowsPartial: true)
            let image = try ImageCoders.shared.decode(file.prefix(file.count * 3 / 4), options: options)
            #expect(image.isPartial)
            #expect((0.05...0.6).contains(image.missingFraction), "\(format): \(image.missingFraction)")
            #expect(image.bitmap.size == whole.size)
            for x in stride(from: 0, to: 200, by: 7) {
                #expect(image.bitmap.pixel(x: x, y: 20) == whole.pixel(x: x, y: 20))
            }
        }
    }

    @Test func aMissingEndMarkerLosesNothing() throws {
        let file = try Pictures.file(Pictures.gradient(width: 50, height: 50), .jpeg)
        let image = try ImageCoders.shared.decode(file.dropLast(2))
        #expect(try image.bitmap.largestDifference(from: ImageCoders.shared.decode(file).bitmap) == 0)
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func aProgressiveFileIsPartialUntilItsLastScan() throws {
        let entry = try #require(Corpus.entries.first { $0.path == "jpeg/cat.jpg" })
        let file = try entry.bytes()
        #expect(try !ImageCoders.shared.decode(file.dropLast(2)).isPartial)
        let cut = file.prefix(file.count / 2)
        #expect(throws: ImageCodingError.truncated(.jpeg, decodedRows: 0, ofRows: 240)) {
            try ImageCoders.shared.decode(cut)
        }
        let image = try ImageCoders.shared.decode(cut, options: ImageDecodeOptions(allowsPartial: true))
        #expect(image.isPartial)
        #expect(image.missingFraction == 1)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func damagedBytesNeverCrash(_ seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        for (_, file) in try Pictures.files() {
            for _ in 0..<60 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                tryAll(damaged)
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here; set MAGPIE_SHARED"))
    func damagedRealFilesNeverCrash() throws {
        var random = SeededGenerator(state: 99)
        for entry in Corpus.decodable {
            let file = try entry.bytes()
            guard !file.isEmpty, file.count < 20_000 else { continue }
            for round in 0..<4 {
                var damaged = file
                damaged[Int.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
                tryAll(round % 3 == 0 ? damaged.prefix(Int.random(in: 0...file.count, using: &random)) : damaged)
            }
        }
    }

    @Test func thousandsOfScansAreRefused() throws {
        var file = Data([0xFF, 0xD8])
        file += Data([0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64))
        file += Data([0xFF, 0xC2, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0])
        // A Huffman table with one code, for category 0.
        let table: [UInt8] = [0xFF, 0xC4, 0, 20, 0, 1] + [UInt8](repeating: 0, count: 15) + [0]
        file += Data(table)
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
        for _ in 0..<300 { file += Data(scan) }
        file += Data([0xFF, 0xD9])
        let error = #expect(throws: ImageCodingError.self) { try ImageCoders.shared.decode(file) }
        #expect(error?.description.contains("more than 200 scans") == true)
    }

    @Test func compressedTextIsNotInflated() throws {
        let picture = try Pictures.gradient(width: 5, height: 5)
        // Not even valid deflate data: nobody looks at it.
        let text = PNGBytes.chunk("zTXt", Data("Comment\0\0".utf8) + Data(repeating: 0xAA, count: 1000))
        let file = PNGBytes.inserting(text, into: try Pictures.file(picture, .png))
        #expect(try ImageCoders.shared.decode(file).bitmap.largestDifference(from: picture) == 0)
    }

    private func tryAll(_ data: Data) {
        _ = try? ImageCoders.shared.info(data)
        let limits = ImageLimits(maximumPixels: 4_000_000)
        _ = try? ImageCoders.shared.decode(data, options: ImageDecodeOptions(limits: limits, allowsPartial: true))
        let box = PixelSize(width: 5, height: 7)
        _ = try? ImageCoders.shared.decode(
            data,
            options: ImageDecodeOptions(thumbnailSize: box, limits: limits, alpha: .straight, allowsPartial: true)
        )
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
