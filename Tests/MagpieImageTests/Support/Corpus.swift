import Foundation
import MagpieImage
import Testing

/// The collection of real picture files, with what is true of each, that lies outside of the repository.
enum Corpus {
    /// The folder, from the environment variable MAGPIE_SHARED or beside the package.
    static let folder: URL = {
        let shared =
            ProcessInfo.processInfo.environment["MAGPIE_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("../shared")
        return shared.appendingPathComponent("corpus")
    }()

    /// Whether the decoders were built with optimisation, without which they take ten times as long.
    static let isOptimised: Bool = {
        #if DEBUG
        false
        #else
        true
        #endif
    }()

    static var isPresent: Bool { !entries.isEmpty }

    static let entries: [CorpusEntry] = {
        guard let json = try? Data(contentsOf: folder.appendingPathComponent("manifest.json")),
            let manifest = try? manifestDecoder.decode(Manifest.self, from: json)
        else { return [] }
        return manifest.entries
    }()

    /// The entries of the formats that this build decodes.
    static let decodable = entries.filter { entry in
        ImageCoders.builtIn.contains { $0.decodableFormats.contains(ImageFormat(rawValue: entry.format)) }
    }

    /// The bytes of a file that is known by its path.
    static func file(_ path: String) throws -> Data {
        try #require(entries.first { $0.path == path }).bytes()
    }

    private static var manifestDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private struct Manifest: Decodable {
        let entries: [CorpusEntry]
    }
}

/// What is true of one file of the corpus.
struct CorpusEntry: Decodable, Sendable, CustomTestStringConvertible {
    enum Validity: Sendable {
        case whole, partial, broken
    }

    struct Tolerance: Decodable, Sendable {
        var sample = 0.0
        var mean = 0.0
    }

    /// What is true of one frame's pixels.
    struct Truth: Decodable, Sendable {
        let index: Int?
        let samples: [[Int]]?
        let meanRgba: [Double]?
        let tolerance: Tolerance?

        /// Holds a bitmap against the truth.
        func check(_ bitmap: Bitmap) throws {
            let tolerance = tolerance ?? Tolerance()
            for sample in samples ?? [] where sample.count == 6 {
                let pixel = try #require(bitmap.pixel(x: sample[0], y: sample[1]))
                let found = [pixel.r, pixel.g, pixel.b, pixel.a].map(Double.init)
                if found[3] == 0, sample[5] == 0 { continue }
                let isNear = zip(found, sample[2...]).allSatisfy { abs($0 - Double($1)) <= tolerance.sample }
                #expect(isNear, "pixel \(sample[0]), \(sample[1]) is \(found), not \(sample[2...])")
            }
            if let meanRgba {
                let found = bitmap.mean
                let isNear = zip(found, meanRgba).allSatisfy { abs($0 - $1) <= tolerance.mean + 0.02 }
                #expect(isNear, "the mean is \(found), not \(meanRgba)")
            }
        }
    }

    let path: String
    let format: String
    let validity: Validity
    let width: Int?
    let height: Int?
    let displayedWidth: Int?
    let displayedHeight: Int?
    let orientation: Int?
    let hasAlpha: Bool?
    let frames: Int?
    let loopCount: Int?
    let durationsMs: [Double]?
    let bitsPerChannel: Int?
    let lossy: Bool?
    let firstFrame: Truth
    /// Of an animation.
    let frameTruths: [Truth]

    var testDescription: String { path }

    func bytes() throws -> Data {
        let file = try FileHandle(forReadingFrom: Corpus.folder.appendingPathComponent(path))
        defer { try? file.close() }
        return try file.readToEnd() ?? Data()
    }

    private enum Key: String, CodingKey {
        case path, format, valid, width, height, displayedWidth, displayedHeight, orientation, hasAlpha, frames
        case loopCount, durationsMs, bitsPerChannel, lossy, frameTruths
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        path = try values.decode(String.self, forKey: .path)
        format = try values.decode(String.self, forKey: .format)
        let isValid = try? values.decode(Bool.self, forKey: .valid)
        validity = isValid == true ? .whole : isValid == false ? .broken : .partial
        width = try values.decodeIfPresent(Int.self, forKey: .width)
        height = try values.decodeIfPresent(Int.self, forKey: .height)
        displayedWidth = try values.decodeIfPresent(Int.self, forKey: .displayedWidth)
        displayedHeight = try values.decodeIfPresent(Int.self, forKey: .displayedHeight)
        orientation = try values.decodeIfPresent(Int.self, forKey: .orientation)
        hasAlpha = try values.decodeIfPresent(Bool.self, forKey: .hasAlpha)
        frames = try values.decodeIfPresent(Int.self, forKey: .frames)
        loopCount = try values.decodeIfPresent(Int.self, forKey: .loopCount)
        durationsMs = try values.decodeIfPresent([Double].self, forKey: .durationsMs)
        bitsPerChannel = try values.decodeIfPresent(Int.self, forKey: .bitsPerChannel)
        lossy = try values.decodeIfPresent(Bool.self, forKey: .lossy)
        frameTruths = try values.decodeIfPresent([Truth].self, forKey: .frameTruths) ?? []
        firstFrame = try frameTruths.first { $0.index == 0 } ?? Truth(from: decoder)
    }
}

extension Bitmap {
    /// The mean of every channel; what is transparent counts as black.
    fileprivate var mean: [Double] {
        var sums = [0, 0, 0, 0]
        let bytes = [UInt8](straightRGBA())
        for at in stride(from: 0, to: bytes.count, by: 4) where bytes[at + 3] > 0 {
            for channel in 0..<4 { sums[channel] += Int(bytes[at + channel]) }
        }
        return sums.map { Double($0) / Double(width * height) }
    }
}
