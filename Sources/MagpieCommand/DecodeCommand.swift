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
        .value("color", nil, "srgb|keep", "convert colours to sRGB, as is usual, or leave the numbers as stored"),
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
        let frame = try arguments.integer("frame", in: 0 ... .max) ?? 0
        let partial = try arguments.integer("partial", in: 0 ... .max)
        if partial != nil, frame > 0 {
            throw UsageError("--partial shows the first frame; --frame does not go with it")
        }
        var options = ImageDecodeOptions()
        options.allowsPartial = true
        options.alpha = .straight
        try setColor(arguments, &options)
        options.limits = try PictureArguments.limits(arguments)
        options.setThumbnail(try PictureArguments.thumbnail(arguments))
        do throws(Failure) {
            let data = try PictureReader.contents(of: path)
            guard let partial else { return try decode(data, frame, options, from: path, arguments) }
            try write(beginning(partial, of: data, options), arguments)
            return .done
        } catch {
            Console.fail(path, error.message)
            return .someFailed
        }
    }

    private static func setColor(_ arguments: ParsedArguments, _ options: inout ImageDecodeOptions) throws(UsageError) {
        switch arguments.value("color") {
        case nil, "srgb":
            break
        case "keep":
            (options.colorConversion, options.dynamicRange) = (.asStored, .kept)
        case let other?:
            throw UsageError("--color takes srgb or keep, not '\(other)'")
        }
    }

    private static func decode(
        _ data: Data,
        _ frame: Int,
        _ options: ImageDecodeOptions,
        from path: String,
        _ arguments: ParsedArguments
    ) throws(Failure) -> ExitStatus {
        let (bitmap, damage) = try Failure.wrapping { () throws(ImageCodingError) in
            try picture(data, frame, options)
        }
        try write(bitmap, arguments)
        guard let damage else { return .done }
        Console.fail(path, "\(damage); what there is was written")
        return .someFailed
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

    /// What a viewer could show when so many bytes of the file have come.
    private static func beginning(
        _ length: Int,
        of data: Data,
        _ options: ImageDecodeOptions
    ) throws(Failure) -> Bitmap {
        let image = try Failure.wrapping { () throws(ImageCodingError) -> DecodedImage? in
            let decoder = ImageCoders.shared.incrementalDecoder(options: options)
            try decoder.append(data.prefix(length))
            return length < data.count ? try decoder.preview() : try decoder.finish()
        }
        if let image { return image.bitmap }
        throw Failure(
            code: "nothing-to-show",
            message: "shows nothing yet in its first \(length) of \(data.count) bytes; give more with --partial"
        )
    }

    private static func write(_ bitmap: Bitmap, _ arguments: ParsedArguments) throws(Failure) {
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
    }

    private static func write(_ data: Data, _ target: String) throws(Failure) {
        if target == "-" {
            try OutputFile.writeToStandardOutput(data)
        } else {
            try OutputFile.write(data, to: target, replaces: true)
        }
    }
}
