import Foundation
import MagpieImage

/// The options that change pictures, and the transformers that they stand for.
enum TransformArguments {
    static let options: [CommandOption] = [
        .value("resize", nil, "WxH[:MODE]", "scale to W x H pixels: fit (bars, the default), fill (cut) or stretch"),
        .value("crop", nil, "X,Y,W,H", "cut out W x H pixels, X from the left and Y from the top"),
        .value("round", nil, "R", "round the corners by R pixels"),
        .value("rotate", nil, "DEG", "turn clockwise by DEG degrees"),
        .value("flip", nil, "h|v", "mirror left to right (h) or top to bottom (v)"),
        .value("blur", nil, "R", "blur by R pixels"),
        .value("tint", nil, "#RRGGBBAA", "give every pixel this colour, and keep the shape"),
    ]

    /// The transformers that a command line asks for, in its order.
    static func transformers(_ arguments: ParsedArguments) throws(UsageError) -> [any ImageTransformer] {
        var transformers: [any ImageTransformer] = []
        for (name, value) in arguments.options {
            switch name {
            case "resize": transformers.append(try resize(value))
            case "crop": transformers.append(try crop(value))
            case "round": transformers.append(.rounded(radius: try number(value, of: name, in: 0...1_000_000)))
            case "rotate":
                transformers.append(
                    .rotate(angle: try -number(value, of: name, in: -1_000_000...1_000_000) * .pi / 180)
                )
            case "flip": transformers.append(try flip(value))
            case "blur": transformers.append(.blur(radius: try number(value, of: name, in: 0...1_000_000)))
            case "tint": transformers.append(.tint(try color(value)))
            default: break
            }
        }
        return transformers
    }

    private static func resize(_ text: String) throws(UsageError) -> ResizeTransformer {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let modes: [Substring: ResizeTransformer.Mode] = ["fit": .fit, "fill": .aspectFill, "stretch": .fill]
        guard let size = parts.first.flatMap({ PictureArguments.size($0) }),
            let mode = modes[parts.count > 1 ? parts[1] : "fit"]
        else { throw UsageError("--resize takes a size like 96x96 or 96x96:fill, not '\(text)'") }
        return ResizeTransformer(width: size.width, height: size.height, mode: mode)
    }

    private static func crop(_ text: String) throws(UsageError) -> CropTransformer {
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard sides.count == 4, text.filter({ $0 == "," }).count == 3, sides[2] > 0, sides[3] > 0 else {
            throw UsageError("--crop takes left, top, width and height like 10,20,300,200, not '\(text)'")
        }
        return .crop(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }

    private static func flip(_ text: String) throws(UsageError) -> FlipTransformer {
        guard text == "h" || text == "v" else { throw UsageError("--flip takes h or v, not '\(text)'") }
        return .flip(horizontal: text == "h", vertical: text == "v")
    }

    private static func number(
        _ text: String,
        of option: String,
        in range: ClosedRange<Double>
    ) throws(UsageError) -> Double {
        guard let number = Double(text), range.contains(number) else {
            let limits = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw UsageError("--\(option) takes a number from \(limits), not '\(text)'")
        }
        return number
    }

    /// `#RRGGBB` or `#RRGGBBAA`, the number sign left away or not.
    private static func color(_ text: String) throws(UsageError) -> PixelColor {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.count == 6 || digits.count == 8, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { throw UsageError("--tint takes a colour like #3366ff80, not '\(text)'") }
        let rgba = digits.count == 6 ? value << 8 | 0xFF : value
        func part(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: rgba >> shift) }
        return PixelColor(r: part(24), g: part(16), b: part(8), a: part(0))
    }
}
