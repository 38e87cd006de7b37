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
    /// Of an animation, some of its frames.
    let someFrames: [Truth]

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
        let truths = try values.decodeIfPresent([Truth].self, forKey: .frameTruths)
        someFrames = truths ?? []
        firstFrame = try truths?.first { $0.index == 0 } ?? Truth(from: decoder)
    }
}
