import Foundation
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
            let manifest = try? JSONDecoder().decode(Manifest.self, from: json)
        else { return [] }
        return manifest.entries
    }()

    /// The entries of the formats that this library decodes.
    static let decodable = entries.filter { ["jpeg", "png", "apng", "gif", "webp"].contains($0.format) }

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
        let rgba8_sha256: String?
        let rgba8_zeroed_sha256: String?
        let rgba8_alt_sha256: [String: String]?
        let samples: [[Int]]?
        let mean_rgba: [Double]?
        let tolerance: Tolerance?
    }

    let path: String
    let format: String
    let validity: Validity
    let width: Int?
    let height: Int?
    let displayed_width: Int?
    let displayed_height: Int?
    let orientation: Int?
    let has_alpha: Bool?
    let frames: Int?
    let loop_count: Int?
    let durations_ms: [Double]?
    let bits_per_channel: Int?
    let lossy: Bool?
    let firstFrame: Truth

    var testDescription: String { path }

    func bytes() throws -> Data {
        try Data(contentsOf: Corpus.folder.appendingPathComponent(path))
    }

    private enum Key: String, CodingKey {
        case path, format, valid, width, height, displayed_width, displayed_height, orientation, has_alpha, frames
        case loop_count, durations_ms, bits_per_channel, lossy, frame_truths
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        path = try values.decode(String.self, forKey: .path)
        format = try values.decode(String.self, forKey: .format)
        let isValid = try? values.decode(Bool.self, forKey: .valid)
        validity = isValid == true ? .whole : isValid == false ? .broken : .partial
        width = try values.decodeIfPresent(Int.self, forKey: .width)
        height = try values.decodeIfPresent(Int.self, forKey: .height)
        displayed_width = try values.decodeIfPresent(Int.self, forKey: .displayed_width)
        displayed_height = try values.decodeIfPresent(Int.self, forKey: .displayed_height)
        orientation = try values.decodeIfPresent(Int.self, forKey: .orientation)
        has_alpha = try values.decodeIfPresent(Bool.self, forKey: .has_alpha)
        frames = try values.decodeIfPresent(Int.self, forKey: .frames)
        loop_count = try values.decodeIfPresent(Int.self, forKey: .loop_count)
        durations_ms = try values.decodeIfPresent([Double].self, forKey: .durations_ms)
        bits_per_channel = try values.decodeIfPresent(Int.self, forKey: .bits_per_channel)
        lossy = try values.decodeIfPresent(Bool.self, forKey: .lossy)
        let truths = try values.decodeIfPresent([Truth].self, forKey: .frame_truths)
        firstFrame = try truths?.first { $0.index == 0 } ?? Truth(from: decoder)
    }
}
