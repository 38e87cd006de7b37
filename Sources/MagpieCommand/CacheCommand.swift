import Foundation
import Magpie

/// `magpie cache`: what the command keeps on disk.
enum CacheCommand: Subcommand {
    static let name = "cache"
    static let synopsis = "[OPTION]... path|stats|list|show URL|trim|clear|verify"
    static let summary = "Show, trim, clear or check the disk cache."
    static let notes = """
          path      the folder
          stats     the number of pictures and their size
          list      the pictures, the last used first
          show URL  what is known of one picture
          trim      forget what is older than --max-age; where more than --max-size is left, the pictures used longest
                    ago until it is less than half of it
          clear     forget all
          verify    read every file, remove damaged ones, and repair the index
        """
    static let options: [CommandOption] = [
        PictureArguments.cacheFolder,
        .value("max-size", nil, "N", "the limit for trim: bytes, or with K, M or G after the number (default 512M)"),
        .value("max-age", nil, "T", "the limit for trim: seconds, or with m, h or d after the number (default 7d)"),
        PictureArguments.json,
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard let action = arguments.operands.first else {
            throw UsageError("what about the cache? give one of path, stats, list, show, trim, clear, verify")
        }
        let rest = arguments.operands.dropFirst()
        if action == "show" ? rest.count != 1 : !rest.isEmpty {
            throw UsageError(action == "show" ? "show takes one URL" : "'\(action)' takes nothing after it")
        }
        let cache = try cache(arguments)
        let report = CacheReport(cache: cache, isJSON: arguments.has("json"))
        switch action {
        case "path": report.showPath()
        case "stats": report.showUsage()
        case "list": cache.entries().forEach(report.show)
        case "show": return report.show(rest.first ?? "")
        case "trim": report.show(removed: cache.trim())
        case "clear":
            cache.removeAll()
            guard cache.entries().isEmpty else {
                Console.fail(cache.folder.path, "could not be cleared; are its files yours?")
                return .someFailed
            }
        case "verify": report.show(cache.verify())
        default:
            throw UsageError("there is no 'cache \(action)'; it takes path, stats, list, show, trim, clear or verify")
        }
        return .done
    }

    private static func cache(_ arguments: ParsedArguments) throws(UsageError) -> DiskCache {
        let standard = DiskCache.standardFolder.appendingPathComponent("default", isDirectory: true)
        let path = arguments.value("cache-dir")
        if path?.isEmpty == true { throw UsageError("--cache-dir takes the name of a folder") }
        return DiskCache(
            folder: path.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? standard,
            sizeLimit: try arguments.value("max-size").map(size) ?? .megabytes(512),
            maximumAge: try arguments.value("max-age").map(age) ?? .days(7)
        )
    }

    /// A number of bytes like `200M`.
    static func size(_ text: String) throws(UsageError) -> ByteSize {
        let units: [Character: (Int) -> ByteSize] = [
            "K": ByteSize.kilobytes, "M": ByteSize.megabytes, "G": ByteSize.gigabytes,
        ]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), number >= 0 else {
            throw UsageError("--max-size takes a number of bytes like 1000000, 200M or 2G, not '\(text)'")
        }
        return (unit ?? ByteSize.bytes)(number)
    }

    /// A duration like `12h`.
    static func age(_ text: String) throws(UsageError) -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), (0...1_000_000_000).contains(number)
        else {
            throw UsageError("--max-age takes a number of seconds, or one like 30m, 12h or 7d, not '\(text)'")
        }
        return .seconds(number * (unit ?? 1))
    }
}
