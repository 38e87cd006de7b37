/// Puts a form together, byte by byte, so that no text of whatever length or script is cut inside a character.
struct FormWriter {
    private let spaces: HTTPFormEncoding.Spaces
    private var bytes: [UInt8] = []

    init(spaces: HTTPFormEncoding.Spaces) { self.spaces = spaces }

    /// What was written.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds a pair; `nil` as a value leaves the equals sign out.
    mutating func append(name: String, value: String?) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        escape(name)
        guard let value else { return }
        bytes.append(UInt8(ascii: "="))
        escape(value)
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            if Self.isUnescaped(byte) {
                bytes.append(byte)
            } else if byte == 0x20, spaces == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexadecimalDigit(byte >> 4))
                bytes.append(Self.hexadecimalDigit(byte & 15))
            }
        }
    }

    /// What a query may hold (RFC 3986 §3.4) without its delimiters, of which `/` and `?` alone are harmless in it.
    private static func isUnescaped(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "/"), UInt8(ascii: "?"): true
        default: false
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
