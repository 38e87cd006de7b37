import Foundation
import Magpie

/// `magpie cache`: what the command keeps on disk.
enum CacheCommand: Subcommand {
    static let name = "cache"
    static let synopsis = "[OPTION]... path|stats|list|clear"
    static let summary = "Show or clear the disk cache."
    static let notes = """
          path    the folder
          stats   the number of pictures and their size
          list    the pictures, the last used first
          clear   forget all
        """
    static let options: [CommandOption] = [PictureArguments.cacheFolder, PictureArguments.json]

    private struct Path: Encodable {
        let path: String
    }

    private struct Stats: Encodable {
        let path: String
        let count: Int
        let bytes: Int
    }

    private struct Entry: Encodable {
        let key: String
        let contentType: String?
        let bytes: Int
        let stored: String
        let used: String
        let path: String?

        enum CodingKeys: String, CodingKey {
            case key, contentType = "content_type", bytes, stored, used, path
        }
    }

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard let action = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("what about the cache? give one of path, stats, list, clear")
        }
        let cache = try PictureArguments.cache(arguments)
        guard let folder = (cache.disk as? DiskCache)?.folder.path else { return .someFailed }
        switch action {
        case "path":
            arguments.has("json") ? Console.print(json: Path(path: folder)) : Console.print(folder)
        case "stats":
            let entries = await cache.diskEntries()
            let bytes = entries.reduce(0) { $0 + $1.size }
            if arguments.has("json") {
                Console.print(json: Stats(path: folder, count: entries.count, bytes: bytes))
            } else {
                Console.print("\(entries.count) pictures, \(bytes) bytes, in \(folder)")
            }
        case "list":
            for entry in await cache.diskEntries() { show(entry, asJSON: arguments.has("json")) }
        case "clear":
            await cache.clearDisk()
            guard await cache.diskEntries().isEmpty else {
                Console.fail(folder, "could not be cleared; are its files yours?")
                return .someFailed
            }
        default:
            throw UsageError("there is no 'cache \(action)'; it takes path, stats, list or clear")
        }
        return .done
    }

    private static func show(_ entry: DiskCacheEntry, asJSON: Bool) {
        let line = Entry(
            key: entry.key,
            contentType: entry.contentType,
            bytes: entry.size,
            stored: entry.stored.ISO8601Format(),
            used: entry.used.ISO8601Format(),
            path: entry.file?.path
        )
        if asJSON { return Console.print(json: line) }
        Console.print(result: [line.used, "\(line.bytes)", line.contentType ?? "-", line.key])
    }
}
