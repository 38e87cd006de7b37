import CFuzzer
import Foundation
import MagpieImage

/// What is done with the bytes that libFuzzer makes up.
///
/// A target has no result: it is done when nothing traps, nothing hangs and the address sanitizer has nothing to say.
enum FuzzTarget: String, CaseIterable {
    /// Detection and headers, EXIF blocks among them.
    case header
    /// The whole picture, and a thumbnail.
    case decode
    /// Bytes that come in pieces, with previews between.
    case incremental
    /// The frames of an animation, in order and then backwards.
    case frames

    private static let limits = ImageLimits(maximumPixels: 1_000_000, maximumBytes: 64_000_000, maximumFrames: 1000)

    /// Runs libFuzzer until it is done; its exit status.
    func run(arguments: [String]) -> Int32 {
        var count = Int32(arguments.count)
        var words = arguments.map { strdup($0) } + [nil]
        return words.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start, test)
        }
    }

    private var test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 {
        switch self {
        case .header: { FuzzTarget.test($0, $1, FuzzTarget.readHeader) }
        case .decode: { FuzzTarget.test($0, $1, FuzzTarget.decode) }
        case .incremental: { FuzzTarget.test($0, $1, FuzzTarget.decodeInPieces) }
        case .frames: { FuzzTarget.test($0, $1, FuzzTarget.walkFrames) }
        }
    }

    private static func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int, _ body: (Data) throws -> Void) -> Int32 {
        // A copy of exactly these bytes: reads behind it are seen.
        let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
        try? body(data)
        return 0
    }

    private static func readHeader(_ data: Data) throws {
        _ = ImageFormat.detect(data)
        _ = ImageCoders.shared.canDecode(data)
        _ = try ImageCoders.shared.info(data, limits: limits)
    }

    private static func decode(_ data: Data) throws {
        let whole = ImageDecodeOptions(limits: limits, allowsPartial: true)
        let box = PixelSize(width: 13, height: 7)
        let small = ImageDecodeOptions(thumbnailSize: box, limits: limits, alpha: .straight)
        _ = try? ImageCoders.shared.decode(data, options: small)
        _ = try ImageCoders.shared.decode(data, options: whole)
    }

    private static func decodeInPieces(_ data: Data) throws {
        let options = ImageDecodeOptions(limits: limits, allowsPartial: true)
        guard let coder = ImageCoders.shared.coders.last(where: { $0.canDecode(data) }),
            let decoder = coder.incrementalDecoder(options: options)
        else { return }
        // Sizes that follow from the bytes, so that a finding can be seen again.
        var state = data.reduce(UInt64(data.count)) { $0 &* 31 &+ UInt64($1) }
        var rest = data
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let piece = rest.prefix(1 + Int(state >> 33) % max(1, data.count / 4))
            rest = rest.dropFirst(piece.count)
            try decoder.append(piece)
            if state >> 60 < 8 { _ = try decoder.preview() }
        }
        _ = try decoder.finish()
    }

    private static func walkFrames(_ data: Data) throws {
        let source = try ImageCoders.shared.frames(of: data, options: ImageDecodeOptions(limits: limits))
        let count = min(source.frameCount, 12)
        for index in Array(0..<count) + (0..<count).reversed() {
            _ = source.duration(at: index)
            _ = try? source.frame(at: index)
        }
    }
}
