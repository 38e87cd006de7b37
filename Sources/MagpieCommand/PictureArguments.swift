import Foundation
import Magpie
import MagpieHTTP
import MagpieImage

/// The options that several subcommands share, and what they mean to the libraries.
enum PictureArguments {
    static let thumbnail = CommandOption.value(
        "thumbnail",
        nil,
        "WxH",
        "fit inside W x H pixels, never enlarged; WxH! stretches"
    )
    static let maxPixels = CommandOption.value(
        "max-pixels",
        nil,
        "N",
        "refuse pictures of more pixels (default 268435456)"
    )
    static let cacheFolder = CommandOption.value(
        "cache-dir",
        nil,
        "DIR",
        "keep the cache in DIR (default: magpie in $XDG_CACHE_HOME)"
    )
    static let json = CommandOption.flag("json", nil, "print one JSON object a line")

    /// The options about requests.
    static let network: [CommandOption] =
        [
            .value("header", nil, "'N: V'", "send this field with every request; may be repeated"),
            .value("concurrency", nil, "N", "download N pictures at a time (default 6)"),
        ] + NetworkArguments.options

    /// A size like `512x512`, or `512x512!` for one that a picture is stretched to.
    static func thumbnail(_ arguments: ParsedArguments) throws(UsageError) -> ImageCacheKey.Thumbnail? {
        guard let text = arguments.value("thumbnail") else { return nil }
        let stretches = text.hasSuffix("!")
        guard let size = size(text.dropLast(stretches ? 1 : 0)) else {
            throw UsageError("--thumbnail takes a size like 512x512, not '\(text)'")
        }
        return ImageCacheKey.Thumbnail(size: size, preservesAspectRatio: !stretches)
    }

    /// A size written `WxH`, each side from 1 to a million.
    static func size(_ text: some StringProtocol) -> PixelSize? {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
            (1...1_000_000).contains(width), (1...1_000_000).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The limits on what a picture may claim to be.
    static func limits(
        _ arguments: ParsedArguments,
        usualPixels: Int = ImageLimits.standard.maximumPixels
    ) throws(UsageError) -> ImageLimits {
        ImageLimits(maximumPixels: try arguments.integer("max-pixels", in: 1 ... .max) ?? usualPixels)
    }

    /// The folder that the command keeps its cache in.
    static func cache(_ arguments: ParsedArguments) throws(UsageError) -> ImageCache {
        guard let path = arguments.value("cache-dir") else { return ImageCache.shared }
        guard !path.isEmpty else { throw UsageError("--cache-dir takes the name of a folder") }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        return ImageCache(name: folder.lastPathComponent, folder: folder.deletingLastPathComponent())
    }

    /// The fields of every request.
    static func headerFields(_ arguments: ParsedArguments) throws(UsageError) -> HTTPFields {
        var fields = HTTPFields()
        for text in arguments.values("header") {
            let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else {
                throw UsageError("--header takes a field like 'Referer: https://example.org/', not '\(text)'")
            }
            fields.append(HTTPField(name: name, value: parts[1]))
        }
        if let credential = try NetworkArguments.credential(arguments) {
            fields[.authorization] = credential.authorization
        }
        return fields
    }

    /// The downloader that the network options describe.
    static func downloader(_ arguments: ParsedArguments) throws(UsageError) -> ImageDownloader {
        var configuration = ImageDownloader.Configuration()
        if let count = try arguments.integer("concurrency", in: 1...1000) {
            configuration.maxConcurrentDownloads = count
        }
        if let timeouts = try NetworkArguments.timeouts(arguments) { configuration.session.timeouts = timeouts }
        configuration.session.trust = try NetworkArguments.trust(arguments)
        return ImageDownloader(configuration: configuration)
    }

    /// The manager that all options together describe.
    static func manager(_ arguments: ParsedArguments) throws(UsageError) -> ImageManager {
        ImageManager(
            cache: try cache(arguments),
            downloader: try downloader(arguments),
            limits: try limits(arguments)
        )
    }

    /// A URL that starts with a scheme, as distinct from the name of a file; nil for the latter.
    static func url(_ operand: String) throws(Failure) -> URL? {
        guard let colon = operand.range(of: "://"), operand[..<colon.lowerBound].allSatisfy(\.isLetter) else {
            return nil
        }
        guard let url = URL(string: operand) else { throw Failure(WebImageError.invalidURL(operand)) }
        return url
    }
}
