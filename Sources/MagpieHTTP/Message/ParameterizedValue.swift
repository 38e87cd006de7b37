import Foundation

/// A value with parameters, as in `text/html; charset="utf-8"` (RFC 9110 §5.6.6).
struct ParameterizedValue {
    /// What stands before the first semicolon.
    let value: String

    /// The parameters by their names in lower case, without quotes; the first of each name counts.
    let parameters: [String: String]

    /// Reads the value of a field; what is no parameter is left out.
    init(_ field: String) {
        let parts = Self.split(field)
        value = Self.trimmed(parts.first ?? "")
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let name = Self.trimmed(String(sides[0])).lowercased()
            if parameters[name] == nil { parameters[name] = Self.unquoted(Self.trimmed(String(sides[1]))) }
        }
        self.parameters = parameters
    }

    /// The parts between the semicolons that stand outside of quotes.
    private static func split(_ field: String) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var (isQuoted, isEscaped) = (false, false)
        for scalar in field.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == ";", !isQuoted {
                parts.append(.init())
                continue
            }
            parts[parts.count - 1].append(scalar)
        }
        return parts.map { String($0) }
    }

    /// The content of a quoted string (RFC 9110 §5.6.4); one that does not end holds the rest.
    private static func unquoted(_ text: String) -> String {
        guard text.unicodeScalars.first == "\"" else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            result.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(result)
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
}
