import Foundation
import MagpieImage

/// Chooses the names of the files that results are written to.
///
/// A name that comes from a server's address is reduced to a plain file name inside the folder, and is given out once:
/// a second result of that name gets `-2`, a third `-3`.
struct OutputNames {
    /// Where a result goes.
    enum Place: Equatable {
        case file(String)
        case standardOutput
    }

    private let target: String?
    private let isFolder: Bool
    private var taken: Set<String> = []

    /// - Parameters:
    ///   - target: what `-o` says: a file, a folder, `-`, or nothing.
    ///   - count: how many results are to be written; with more than one, the target is a folder.
    init(target: String?, count: Int) {
        self.target = target
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: target ?? ".", isDirectory: &isDirectory)
        isFolder = target == nil || count > 1 || target?.hasSuffix("/") == true || (exists && isDirectory.boolValue)
    }

    /// Whether the name of a result comes from its address, so that it must not replace a file.
    var areChosenByURL: Bool { isFolder }

    /// The folder that results go into, to be made when it is not there; nil when there is nothing to make.
    var folder: String? { isFolder ? target : nil }

    /// The place of the next result.
    ///
    /// - Parameter newFormat: the format that the picture was converted to; nil when it keeps its own.
    mutating func next(for url: URL, format: ImageFormat, isConverted: Bool) -> Place {
        if !isFolder, let target {
            return target == "-" ? .standardOutput : .file(target)
        }
        let name = unique(Self.name(for: url, format: format, isConverted: isConverted))
        guard let target else { return .file(name) }
        return .file(target.hasSuffix("/") ? target + name : target + "/" + name)
    }

    private mutating func unique(_ name: String) -> String {
        if taken.insert(name).inserted { return name }
        let (stem, tail) = Self.split(name)
        var number = 2
        while !taken.insert("\(stem)-\(number)\(tail)").inserted { number += 1 }
        return "\(stem)-\(number)\(tail)"
    }

    /// The last part of the address's path as a file name: no separator, no control character, no leading dot, of a
    /// length that file systems take.
    static func name(for url: URL, format: ImageFormat, isConverted: Bool) -> String {
        let last = url.path(percentEncoded: true).split(separator: "/").last.map(String.init) ?? ""
        let decoded = last.removingPercentEncoding ?? last
        var name = String(
            String.UnicodeScalarView(
                decoded.unicodeScalars.map { scalar in
                    isPlain(scalar) ? scalar : "_"
                }
            )
        )
        name = String(name.drop { $0 == "." })
        if name.hasPrefix("-") { name = "_" + name.dropFirst() }
        if name.isEmpty { name = "picture" }
        var (stem, tail) = split(name)
        if isConverted || tail.isEmpty { tail = "." + format.fileExtension }
        if tail.utf8.count > 16 { tail = "." + format.fileExtension }
        return cut(stem, toBytes: 240 - tail.utf8.count) + tail
    }

    /// Whether a character of an address may stand in a file's name: none that separates, controls or hides.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: scalar != "/" && scalar != "\\"
        }
    }

    /// The beginning of a name; 255 bytes are what file systems take, and room is left for "-2".
    private static func cut(_ name: String, toBytes limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        var bytes = name.utf8.prefix(limit)
        while !bytes.isEmpty {
            if let text = String(bytes) { return text }
            bytes = bytes.dropLast()
        }
        return "picture"
    }

    /// A name as its stem and its extension with the dot; the latter is empty unless it is letters and digits.
    private static func split(_ name: String) -> (stem: String, tail: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex,
            name[name.index(after: dot)...].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
