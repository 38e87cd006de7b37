import Foundation

/// The `Content-Disposition` field (RFC 6266), so far as it names a file.
enum ContentDisposition {
    /// The name as the server gave it, which may be anything; `nil` where it gave none.
    ///
    /// `filename*` (RFC 8187) goes before `filename` (RFC 6266 §4.3).
    static func fileName(in value: String) -> String? {
        let parameters = ParameterizedValue(value).parameters
        return parameters["filename*"].flatMap(extended) ?? parameters["filename"]
    }

    /// Reads `charset'language'percent-encoded`; the charsets are those of RFC 8187 §3.2.
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(parts[2]).removingPercentEncoding
        case "iso-8859-1": return decodedLatin1(parts[2])
        default: return nil
        }
    }

    private static func decodedLatin1(_ text: Substring) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(Unicode.Scalar(byte))
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            result.append(Unicode.Scalar(value))
            rest = rest.dropFirst(2)
        }
        return String(result)
    }
}

extension HTTPResponse {
    /// A name for a file with the body: the one in `Content-Disposition`, else the last part of the address.
    ///
    /// It is safe in any folder: one part of a path of at most 255 bytes, without control characters, not hidden, never
    /// empty.
    public var suggestedFileName: String {
        let named = headerFields[.contentDisposition].flatMap(ContentDisposition.fileName)
        return named.flatMap(Self.safeFileName) ?? Self.safeFileName(url.lastPathComponent) ?? "download"
    }

    /// The longest name that file systems take, in bytes.
    private static let maximumNameLength = 255

    private static func safeFileName(_ name: String) -> String? {
        let isHarmless = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
        // By scalars, since a slash with a mark over it is a character of its own, and yet a slash to the file system.
        // Windows writes paths with backslashes, and what comes before the name is none of the server's business.
        let last = name.unicodeScalars.filter(isHarmless).split { $0 == "/" || $0 == "\\" }.last ?? []
        let shown = String(String.UnicodeScalarView(last)).trimmingCharacters(in: .whitespaces)
        let visible = String(shown.unicodeScalars.drop { $0 == "." }).trimmingCharacters(in: .whitespaces)
        guard !visible.isEmpty else { return nil }
        guard visible.utf8.count > maximumNameLength else { return visible }
        let suffix = (visible as NSString).pathExtension
        let end = suffix.isEmpty || suffix.utf8.count > 20 ? "" : ".\(suffix)"
        let stem = String(decoding: visible.utf8.dropLast(end.utf8.count), as: UTF8.self)
        return stem.prefix(byteCount: maximumNameLength - end.utf8.count) + end
    }
}

extension String {
    /// As many whole scalars from the beginning as have `byteCount` bytes in UTF-8.
    func prefix(byteCount: Int) -> String {
        var result = UnicodeScalarView()
        var rest = byteCount
        for scalar in unicodeScalars {
            rest -= UTF8.width(scalar)
            guard rest >= 0 else { break }
            result.append(scalar)
        }
        return String(result)
    }
}
