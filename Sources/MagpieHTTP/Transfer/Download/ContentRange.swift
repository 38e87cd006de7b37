/// Which bytes of a representation an answer holds: the `Content-Range` field (RFC 9110 §14.4).
struct ContentRange: Equatable {
    /// The first byte and the last, or `nil` in an answer that holds none (416).
    let range: ClosedRange<Int64>?

    /// The length of the whole representation, or `nil` where the server does not know it.
    let total: Int64?

    /// Reads a field; `nil` where it is no range of bytes, or contradicts itself.
    init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let number = Self.number(parts[1]) else { return nil }
            total = number
        }
        guard parts[0] != "*" else {
            guard total != nil else { return nil }
            range = nil
            return
        }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        range = first...last
    }

    /// Digits alone: no sign, which `Int64` would take.
    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int64(text)
    }
}
