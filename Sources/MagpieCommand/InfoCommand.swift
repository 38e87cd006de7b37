import Foundation
import Magpie
import MagpieImage

/// `magpie info`: what the headers of pictures say.
enum InfoCommand: Subcommand {
    static let name = "info"
    static let synopsis = "[OPTION]... FILE|URL..."
    static let summary = "Tell what pictures are, without decoding them."
    static let options: [CommandOption] =
        [PictureArguments.maxPixels, PictureArguments.json, PictureArguments.cacheFolder] + PictureArguments.network

    /// One line of `--json`; the meaning of the keys is that of `ImageInfo`.
    private struct Report: Encodable {
        let input: String
        let info: ImageInfo
        let metadata: ImageMetadata
        let bytes: Int

        enum CodingKeys: String, CodingKey {
            case input, format, width, height, displayedWidth = "displayed_width", displayedHeight = "displayed_height"
            case orientation, hasAlpha = "has_alpha", frames, loopCount = "loop_count", durations = "durations_ms"
            case bitsPerChannel = "bits_per_channel", colorSpace = "color_space", progressive, bytes
            case date, make, model, lens, title, rating, hasPosition = "has_position"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(input, forKey: .input)
            try container.encode(info.format.rawValue, forKey: .format)
            try container.encode(info.width, forKey: .width)
            try container.encode(info.height, forKey: .height)
            try container.encode(info.displayedSize.width, forKey: .displayedWidth)
            try container.encode(info.displayedSize.height, forKey: .displayedHeight)
            try container.encode(info.orientation.rawValue, forKey: .orientation)
            try container.encode(info.hasAlpha, forKey: .hasAlpha)
            try container.encode(info.frameCount, forKey: .frames)
            // Null for a still, rather than left out.
            try container.encode(info.loopCount, forKey: .loopCount)
            try container.encode(info.frameDurations, forKey: .durations)
            try container.encode(info.bitsPerChannel, forKey: .bitsPerChannel)
            try container.encode(info.colorSpace, forKey: .colorSpace)
            try container.encode(info.isProgressive, forKey: .progressive)
            try container.encode(bytes, forKey: .bytes)
            try container.encodeIfPresent(metadata.date, forKey: .date)
            try container.encodeIfPresent(metadata.cameraMake, forKey: .make)
            try container.encodeIfPresent(metadata.cameraModel, forKey: .model)
            try container.encodeIfPresent(metadata.lens, forKey: .lens)
            try container.encodeIfPresent(metadata.title, forKey: .title)
            try container.encodeIfPresent(metadata.rating, forKey: .rating)
            try container.encode(metadata.position != nil, forKey: .hasPosition)
        }
    }

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw UsageError("which picture? give at least one file or URL") }
        let reader = try PictureReader(arguments)
        // A header takes no memory for pixels.
        let limits = try PictureArguments.limits(arguments, usualPixels: .max)
        return await Interruption.run {
            var status = ExitStatus.done
            for input in arguments.operands where !Task.isCancelled {
                do throws(Failure) {
                    let data = try await reader.data(of: input)
                    let info = try Failure.wrapping { () throws(ImageCodingError) in
                        try ImageCoders.shared.info(data, limits: limits)
                    }
                    // What a damaged block cannot say is no reason to keep the rest back.
                    let metadata = (try? ImageCoders.shared.metadata(of: data)) ?? ImageMetadata()
                    let report = Report(input: input, info: info, metadata: metadata, bytes: data.count)
                    show(report, asJSON: arguments.has("json"))
                } catch {
                    if error.code != WebImageError.cancelled.code { Console.fail(input, error.message) }
                    status = .someFailed
                }
            }
            return status
        }
    }

    private static func show(_ report: Report, asJSON: Bool) {
        if asJSON { return Console.print(json: report) }
        let info = report.info
        var facts = ["\(info.format)", "\(info.displayedSize.width) x \(info.displayedSize.height)"]
        facts.append("\(info.bitsPerChannel) bits a channel, \(info.colorSpace)")
        if info.hasAlpha { facts.append("with alpha") }
        if info.isProgressive { facts.append("progressive") }
        if info.orientation != .up { facts.append("stored as orientation \(info.orientation.rawValue)") }
        if info.frameCount > 1 {
            let seconds = info.frameDurations.reduce(0, +) / 1000
            facts.append("\(info.frameCount) frames in \(seconds) s")
            if let loops = info.loopCount { facts.append(loops == 0 ? "for ever" : "played \(loops) times") }
        }
        facts += photographFacts(report.metadata)
        Console.print(result: [report.input, "\(facts.joined(separator: ", ")), \(report.bytes) bytes"])
    }

    private static func photographFacts(_ metadata: ImageMetadata) -> [String] {
        var facts: [String] = []
        if let title = metadata.title { facts.append("\"\(title)\"") }
        if let date = metadata.date { facts.append("taken \(date)") }
        if let camera = metadata.cameraModel ?? metadata.cameraMake { facts.append("with \(camera)") }
        if metadata.position != nil { facts.append("tells the place") }
        return facts
    }
}
