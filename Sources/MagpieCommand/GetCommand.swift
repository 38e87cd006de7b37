import Foundation
import Magpie
import MagpieHTTP
import MagpieImage

/// `magpie get`: loads pictures through the whole pipeline and writes each to a file.
enum GetCommand: Subcommand {
    static let name = "get"
    static let synopsis = "[OPTION]... URL..."
    static let summary = "Load pictures and write them to files."
    static let notes = """
        Without -o, a file takes the last part of its address as its name, in this folder, and replaces no file
        that is there. A picture that nothing is asked of is written as it was received. Transforms are done in
        the order in which they stand, on every frame of an animation.
        """

    static let options: [CommandOption] =
        [
            .value("output", "o", "FILE|DIR", "write to FILE, or into DIR; - is standard output"),
            PictureArguments.thumbnail,
            .value("format", nil, "F", "write as \(GetJob.formatNames)"),
            .value("quality", nil, "Q", "quality of what is written, 1 to 100 (default 90)"),
            .flag("original", nil, "write the bytes as received, without decoding them"),
            .flag("first-frame", nil, "write the first frame of an animation"),
            .flag("force", nil, "replace files that are there"),
            .flag("cache-only", nil, "do not ask the network"),
            .flag("no-cache", nil, "use no cache and keep nothing"),
            .flag("memory-only", nil, "keep nothing on disk"),
            PictureArguments.maxPixels,
            PictureArguments.cacheFolder,
            PictureArguments.json,
        ] + TransformArguments.options + PictureArguments.network

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw UsageError("which picture? give at least one URL") }
        let job = try GetJob(arguments)
        let concurrency = try arguments.integer("concurrency", in: 1...1000) ?? 6
        return await Interruption.run {
            await job.run(arguments.operands, concurrency: concurrency)
        }
    }
}
