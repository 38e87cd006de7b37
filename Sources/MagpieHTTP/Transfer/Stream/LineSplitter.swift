import Foundation

/// Cuts UTF-8 text that comes in pieces into lines, which end with LF, CR or CR LF.
///
/// Bytes that are no UTF-8 become U+FFFD; a byte order mark at the start is dropped.
struct LineSplitter {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the line begins that is not finished.
    private var start = 0
    /// What of the line was looked at already.
    private var scanned = 0
    /// Whether the last line ended with CR, to which an LF may belong that has not come yet.
    private var isAfterCarriageReturn = false
    private var isFirstLine = true

    /// - Parameter limit: The longest line to accept, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes the next piece.
    mutating func append(_ piece: Data) {
        bytes.removeSubrange(..<start)
        scanned -= start
        start = 0
        bytes.append(contentsOf: piece)
    }

    /// The next line that is finished, without its end.
    mutating func next() throws(HTTPError) -> String? {
        if isAfterCarriageReturn, start < bytes.count {
            isAfterCarriageReturn = false
            if bytes[start] == UInt8(ascii: "\n") { start += 1 }
            scanned = start
        }
        let rest = bytes[scanned...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard (end ?? bytes.count) - start <= limit else { throw .lineTooLong(limit: limit) }
        guard let end else {
            scanned = bytes.count
            return nil
        }
        isAfterCarriageReturn = bytes[end] == UInt8(ascii: "\r")
        return take(to: end)
    }

    /// What is left when nothing more comes: a last line without an end.
    mutating func finish() -> String? { start < bytes.count ? take(to: bytes.count) : nil }

    private mutating func take(to end: Int) -> String {
        var line = bytes[start..<end]
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirstLine = false
        start = min(end + 1, bytes.count)
        scanned = start
        return String(decoding: line, as: UTF8.self)
    }
}
