/// Reads the challenges of one field: schemes with parameters or a token, any number of them (RFC 9110 §11.6.1).
///
/// What cannot be understood is left out.
struct ChallengeParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    /// All challenges of the field.
    mutating func challenges() -> [HTTPChallenge] {
        var challenges: [HTTPChallenge] = []
        while true {
            skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
            guard position < bytes.count else { return challenges }
            guard let name = takeToken() else {
                skipItem()
                continue
            }
            skip(while: Self.isSpace)
            // A name before "=" is a parameter of the challenge before it.
            if take("=") {
                skip(while: Self.isSpace)
                guard let value = takeValue(), !challenges.isEmpty else { continue }
                set(name, value, of: &challenges[challenges.count - 1])
            } else {
                challenges.append(HTTPChallenge(scheme: name, token: takeLoneToken()))
            }
        }
    }

    /// The first of two values of one name counts.
    private func set(_ name: String, _ value: String, of challenge: inout HTTPChallenge) {
        let key = name.lowercased()
        if challenge.parameters[key] == nil { challenge.parameters[key] = value }
    }

    /// The token of 68 characters that may stand in place of parameters; it ends the challenge.
    private mutating func takeLoneToken() -> String? {
        let start = position
        skip(while: Self.isToken68)
        skip { $0 == UInt8(ascii: "=") }
        let tokenEnd = position
        skip(while: Self.isSpace)
        let isAtEnd = position == bytes.count || bytes[position] == UInt8(ascii: ",")
        guard tokenEnd > start, isAtEnd else {
            position = start
            return nil
        }
        return String(decoding: bytes[start..<tokenEnd], as: UTF8.self)
    }

    private mutating func takeToken() -> String? {
        let start = position
        skip(while: HTTPField.Name.isTokenByte)
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private mutating func takeValue() -> String? {
        guard take("\"") else { return takeToken() }
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), position < bytes.count {
                text.append(bytes[position])
                position += 1
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    private mutating func skipItem() {
        if take("\"") {
            position -= 1
            _ = takeValue()
        } else {
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
