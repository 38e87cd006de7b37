/// One word after the address of `magpie http`, in HTTPie's grammar: a key, a separator, and a value.
///
/// The separator that begins first counts, and of those that begin there the longest; a backslash before a character
/// makes it an ordinary one.
enum RequestItem: Equatable {
    /// `Name:value`: a field of the request; nil, from `Name:`, leaves it out, and `Name;` sends it empty.
    case header(String, String?)
    /// `name==value`: a part of the query.
    case query(String, String)
    /// `name=value`: a field of the body, as text.
    case field(String, String)
    /// `name:=value`: a field of the body, as JSON.
    case json(String, String)
    /// `name@path`: a file to send, after which `;type=` may name its type.
    case file(String, path: String)
    /// `name=@path`: a field of the body with the text of a file.
    case fieldFile(String, path: String)
    /// `name:=@path`: a field of the body with the JSON of a file.
    case jsonFile(String, path: String)

    /// Reads a word.
    init(_ word: String) throws(UsageError) {
        guard let (key, separator, value) = Self.split(word) else {
            guard word.hasSuffix(";"), word.count > 1 else {
                throw UsageError(
                    "'\(word)' is no item; write Header:value, name==query, name=field, name:=json or name@file"
                )
            }
            self = .header(String(word.dropLast()), "")
            return
        }
        guard !key.isEmpty else { throw UsageError("'\(word)' has nothing before its '\(separator)'") }
        switch separator {
        case ":=@": self = .jsonFile(key, path: value)
        case "=@": self = .fieldFile(key, path: value)
        case ":=": self = .json(key, value)
        case "==": self = .query(key, value)
        case "=": self = .field(key, value)
        case "@": self = .file(key, path: value)
        default:
            let text = String(value.drop { $0 == " " || $0 == "\t" })
            self = .header(key, text.isEmpty ? nil : text)
        }
    }

    /// Whether the item is a part of the body.
    var isContent: Bool {
        switch self {
        case .header, .query: false
        case .field, .json, .file, .fieldFile, .jsonFile: true
        }
    }

    /// The separators, the longer ones first.
    private static let separators = [":=@", "=@", ":=", "==", "=", "@", ":"]

    private static func split(_ word: String) -> (key: String, separator: String, value: String)? {
        var key = ""
        var rest = word[...]
        while let character = rest.first {
            if character == "\\", let escaped = rest.dropFirst().first {
                key.append(escaped)
                rest = rest.dropFirst(2)
                continue
            }
            if let separator = separators.first(where: { rest.hasPrefix($0) }) {
                return (key, separator, unescaped(rest.dropFirst(separator.count)))
            }
            key.append(character)
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The value, in which a backslash is an ordinary character unless a separator follows it.
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.first {
            if character == "\\", separators.contains(where: { rest.dropFirst().hasPrefix($0) }) {
                rest = rest.dropFirst()
            }
            if let next = rest.popFirst() { result.append(next) }
        }
        return result
    }
}
