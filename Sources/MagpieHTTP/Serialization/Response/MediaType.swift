/// What `Content-Type` says (RFC 9110 §8.3.1).
struct MediaType {
    /// Type and subtype in lower case, as in `text/html`.
    let type: String

    /// The name of the character encoding as it was sent.
    let charset: String?

    /// Reads the value of a field; nothing where it names no type.
    init?(_ value: String) {
        let parts = Self.split(value)
        guard let type = parts.first?.lowercased(), type.contains("/") else { return nil }
        self.type = type
        charset = parts.dropFirst().lazy.compactMap(Self.charset).first
    }

    private static func charset(of parameter: String) -> String? {
        guard let equals = parameter.firstIndex(of: "=") else { return nil }
        guard trimmed(parameter[..<equals]).lowercased() == "charset" else { return nil }
        let value = trimmed(parameter[parameter.index(after: equals)...])
        return value.isEmpty ? nil : value
    }

    /// The parts between semicolons that stand outside of quotes.
    private static func split(_ value: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
                continue
            } else if character == "\"" {
                isQuoted.toggle()
                continue
            } else if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].unicodeScalars.append(character)
        }
        return parts.map { trimmed($0[...]) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let start = text.firstIndex(where: { !isBlank($0) }), let end = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[start...end])
    }
}

extension HTTPDataResponse {
    /// What the answer says its content is.
    var mediaType: MediaType? { headerFields[values: .contentType].last.flatMap(MediaType.init) }
}
