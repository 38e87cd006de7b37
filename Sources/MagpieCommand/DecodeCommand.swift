import Foundation
import Magpie
import MagpieImage

/// `magpie decode`: the pixels of a file.
enum DecodeCommand: Subcommand {
    static let name = "decode"
    static let synopsis = "[OPTION]... FILE --rgba OUT | --png OUT"
    static let summary = "Decode a file and write its pixels."
    static let notes = """
        A damaged file is written as far as it can be shown, and the exit status is 1.
        """
    static let options: [CommandOption] = [
        .value("rgba", nil, "OUT", "write rows of straight RGBA, 8 bits each, and print their size"),
        .value("png", nil, "OUT", "write a PNG"),
        .value("frame", nil, "N", "the frame, counted from 0, as a viewer would show it (default 0)"),
        PictureArguments.thumbnail,
        .value("partial", nil, "BYTES", "show what the first BYTES of the file give, as if no more had come yet"),
        .value("color", nil, "keep", "leave the numbers as stored; the only way so far"),
        PictureArguments.maxPixels,
    ]

    private struct Size: Encodable {
        let width: Int
        let height: Int
    }

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        guard let path = arguments.operands.first, arguments.operands.count == 1 else {
            throw UsageError("it takes one file")
        }
        guard arguments.has("rgba") || arguments.has("png") else { throw UsageError("where to? give --rgba or --png") }
        if arguments.value("rgba") == "-", arguments.value("png") == "-" {
            throw UsageError("standard output takes one of --rgba and --png")
        }
        if let color = arguments.value("color"), color != "keep" {
            throw UsageError("--color takes keep, not '\(color)'")
        }
        let frame = try arguments.integer("frame", in: 0 ... .max) ?? 0
        let partial = try arguments.integer("partial", in: 0 ... .max)
        var options = ImageDecodeOptions()
        options.allowsPartial = true
        options.alpha = .straight
        options.limits = try PictureArguments.limits(arguments)
        if let thumbnail = try PictureArguments.thumbnail(arguments) {
            options.thumbnailSize = thumbnail.size
            options.preservesAspectRatio = thumbnail.preservesAspectRatio
        }
        do throws(Failure) {
            return try decode(path, frame, partial, options, arguments)
        } catch {
            Console.fail(path, error.message)
            return .someFailed
        }
    }

    private static func decode(
        _ path: String,
        _ frame: Int,
        _ partial: Int?,
        _ options: ImageDecodeOptions,
        _ arguments: ParsedArguments
    ) throws(Failure) -> ExitStatus {
        let data = try PictureReader.contents(of: path)
        let (bitmap, damage) = try Failure.wrapping { () throws(ImageCodingError) in
            try partial.map { (length) throws(ImageCodingError) in try beginning(length, of: data, options) }
                ?? picture(data, frame, options)
        }
        if let target = arguments.value("png") {
            let png = try Failure.wrapping { () throws(ImageCodingError) in
                try ImageCoders.shared.encode(bitmap, as: .png)
            }
            try write(png, target)
        }
        if let target = arguments.value("rgba") {
            try write(bitmap.straightRGBA(), target)
            if target != "-" { Console.print(json: Size(width: bitmap.width, height: bitmap.height)) }
        }
        guard let damage else { return .done }
        Console.fail(path, "\(damage); what there is was written")
        return .someFailed
    }

    /// What a viewer could show when so many bytes of the file have come.
    private static func beginning(
        _ length: Int,
        of data: Data,
        _ options: ImageDecodeOptions
    ) throws(ImageCodingError) -> (Bitmap, damage: String?) {
        let decoder = ImageCoders.shared.incrementalDecoder(options: options)
        try decoder.append(data.prefix(length))
        guard length < data.count, let image = try decoder.preview() else {
            return (try decoder.finish().bitmap, nil)
        }
        return (image.bitmap, nil)
    }

    /// The frame, and what is wrong with it.
    private static func picture(
        _ data: Data,
        _ frame: Int,
        _ options: ImageDecodeOptions
    ) throws(ImageCodingError) -> (Bitmap, damage: String?) {
        guard frame > 0 else {
            let image = try ImageCoders.shared.decode(data, options: options)
            let missing = Int((image.missingFraction * 100).rounded(.up))
            return (image.bitmap, image.isPartial ? "is damaged: \(missing) % of the picture is missing" : nil)
        }
        var strict = options
        strict.allowsPartial = false
        do throws(ImageCodingError) {
            return (try ImageCoders.shared.frames(of: data, options: strict).frame(at: frame), nil)
        } catch {
            return (try ImageCoders.shared.frames(of: data, options: options).frame(at: frame), error.description)
        }
    }

    private static func write(_ data: Data, _ target: String) throws(Failure) {
        if target == "-" {
            try OutputFile.writeToStandardOutput(data)
        } else {
            try OutputFile.write(data, to: target, replaces: true)
        }
    }
}
