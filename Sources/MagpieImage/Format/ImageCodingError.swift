public import Foundation

/// Why a picture could not be decoded or encoded.
///
/// ``description`` is one sentence that can stand behind the name of the file: "claims 60000 x 60000 pixels (14.4 GB);
/// the limit is 268 megapixels".
public enum ImageCodingError: Error, Sendable, Equatable {
    /// There are no bytes at all.
    case empty
    /// The content is no known picture format; `looksLike` says what it seems to be, such as "an HTML page".
    case unknownFormat(looksLike: String?)
    /// The format is recognised, but no registered coder decodes it.
    case unsupportedFormat(ImageFormat)
    /// The coder does not support something that the file uses, such as "12 bits a sample".
    case unsupportedFeature(ImageFormat, String)
    /// The header declares more pixels than ``ImageLimits`` of the request allow. No pixel memory was asked for.
    case tooLarge(width: Int, height: Int, limitPixels: Int)
    /// The animation has more frames than ``ImageLimits`` of the request allow.
    case tooManyFrames(ImageFormat, limit: Int)
    /// The animation plays longer than ``ImageLimits`` of the request allow.
    case tooLong(ImageFormat, limit: Duration)
    /// The memory of this size in bytes cannot be had, or is more than the limits of the request allow.
    case outOfMemory(bytes: Int)
    /// The file ends before the picture does; so many rows from the top are whole.
    case truncated(ImageFormat, decodedRows: Int, ofRows: Int)
    /// The file breaks the rules of its format; the text says how.
    case corrupt(ImageFormat, String)
    /// The picture has no frame of this index, which counts from 0.
    case noSuchFrame(Int, of: Int)
    /// A transformer cannot do its work on the picture; the text says why.
    case cannotTransform(String)
    /// The picture cannot be written in this format; the text says why.
    case cannotEncode(ImageFormat, String)

    /// A stable word for programs, such as `empty`, `unknown-format` or `too-large`.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .unknownFormat: "unknown-format"
        case .unsupportedFormat: "unsupported-format"
        case .unsupportedFeature: "unsupported-feature"
        case .tooLarge: "too-large"
        case .tooManyFrames: "too-many-frames"
        case .tooLong: "too-long"
        case .outOfMemory: "out-of-memory"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .noSuchFrame: "no-such-frame"
        case .cannotTransform: "cannot-transform"
        case .cannotEncode: "cannot-encode"
        }
    }
}

extension ImageCodingError: CustomStringConvertible, LocalizedError {
    /// One sentence without a full stop, for a person.
    public var description: String {
        switch self {
        case .empty:
            "is empty; get it again from where it came from"
        case .unknownFormat(let looksLike?):
            "is not a picture; it looks like \(looksLike); check where it came from"
        case .unknownFormat(nil):
            "is not a picture of a known format; if another program shows it, convert it to PNG or JPEG"
        case .unsupportedFormat(let format):
            "is a picture in the \(format) format, which this build cannot decode; convert it to PNG or JPEG"
        case .unsupportedFeature(let format, let feature):
            "is a \(format) with \(feature), which is not supported; save it without that"
        case .tooLarge(let width, let height, let limit):
            "claims \(width) x \(height) pixels (\(Self.size(Double(width) * Double(height) * 4))); "
                + "the limit is \(Self.megapixels(limit))"
        case .tooManyFrames(let format, let limit):
            "is a \(format) with more than \(limit) frames, which is the limit; shorten it, or raise the limit where it can be trusted"
        case .tooLong(let format, let limit):
            "is a \(format) that plays longer than \(limit), which is the limit; shorten it, or raise the limit where it can be trusted"
        case .outOfMemory(let bytes):
            "needs \(Self.size(Double(bytes))) of memory, more than there is or may be used; ask for a thumbnail, or raise the limit"
        case .truncated(let format, _, ofRows: 0):
            "is a \(format) that is cut off within its header; get it again"
        case .truncated(let format, let rows, let total):
            "is cut off: \(rows) of \(total) rows of the \(format) are there; get it again"
        case .corrupt(let format, let reason):
            "is a damaged \(format): \(reason)"
        case .noSuchFrame(let index, let count):
            "has no frame \(index); it has \(count), and the first is frame 0"
        case .cannotTransform(let reason):
            "cannot be transformed: \(reason)"
        case .cannotEncode(let format, let reason):
            "cannot be written as \(format): \(reason)"
        }
    }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }

    private static func size(_ bytes: Double) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
        var value = bytes
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(Int(value)) bytes" : String(format: "%.1f %@", value, units[unit])
    }

    private static func megapixels(_ pixels: Int) -> String {
        pixels >= 1_000_000 ? "\(pixels / 1_000_000) megapixels" : "\(pixels) pixels"
    }
}
