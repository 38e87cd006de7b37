/// One header field: a name and a value (RFC 9110 §5).
///
/// The value is cleaned when it is set: white space at both ends is dropped and every CR, LF and NUL becomes a space,
/// so that no value, wherever it came from, can start another field or another message.
public struct HTTPField: Sendable, Hashable {
    /// The name; compared without regard to case.
    public var name: Name

    /// The value, without line breaks and without white space at its ends.
    public var value: String {
        get { cleanValue }
        set { cleanValue = Self.clean(newValue) }
    }

    private var cleanValue: String

    /// Makes a field; the value is cleaned as the type describes.
    public init(name: Name, value: String) {
        self.name = name
        self.cleanValue = Self.clean(value)
    }

    /// Adds what a folded line holds to the value, after a space (RFC 9112 §5.2).
    mutating func append(foldedLine line: String) {
        let more = Self.clean(line)
        guard !more.isEmpty else { return }
        if !cleanValue.isEmpty { cleanValue += " " }
        cleanValue += more
    }

    /// The value as RFC 9110 §5.5 allows it: no CR, LF or NUL, no white space around it.
    private static func clean(_ value: String) -> String {
        let isClean = { (bytes: UnsafeBufferPointer<UInt8>) -> Bool in
            guard let first = bytes.first, let last = bytes.last else { return true }
            if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 { return false }
            return !bytes.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0x00 }
        }
        if value.utf8.withContiguousStorageIfAvailable(isClean) == true { return value }
        let spaced = value.utf8.map { $0 == 0x0D || $0 == 0x0A || $0 == 0x00 ? 0x20 : $0 }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let start = spaced.firstIndex(where: { !isSpace($0) }),
            let end = spaced.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: spaced[start...end], as: UTF8.self)
    }
}

extension HTTPField: CustomStringConvertible {
    /// The field as it is written in a message: `name: value`.
    public var description: String { "\(name.rawName): \(value)" }
}
