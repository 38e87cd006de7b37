import Foundation

/// Puts a response head together from the lines of the header section, as libcurl hands them over one by one.
///
/// Interim answers (1xx) are dropped; what comes after the final head (trailers) is left alone. The size of the section
/// is bounded by libcurl.
struct ResponseHeadParser {
    private var status: HTTPResponse.Status?
    private var version = HTTPVersion.http1_1
    private var fields = HTTPFields()
    private(set) var isComplete = false
    /// Whether the line before was a field that a folded line may continue.
    private var isFoldable = false
    /// The names of the head before.
    ///
    /// Answers of a server look alike: most names are found again in their place.
    private var formerNames: [HTTPField.Name] = []

    /// Makes ready for another answer.
    mutating func reset() {
        if isComplete { formerNames = fields.map(\.name) }
        status = nil
        version = .http1_1
        fields = HTTPFields()
        isComplete = false
    }

    /// Takes one line with its line break.
    ///
    /// - Returns: The head where this line ended it.
    mutating func consume(_ line: UnsafeRawBufferPointer, url: URL) -> HTTPResponse? {
        guard !isComplete else { return nil }
        let text = Self.trim(line[...])
        // Also a line of white space alone goes on; it ends nothing.
        if status != nil, let first = line.first, first == 0x20 || first == 0x09 {
            if isFoldable { fields.append(foldedLine: Self.string(text)) }
            return nil
        }
        if text.isEmpty { return endSection(url: url) }
        if status == nil || Self.isStatusLine(text) {
            beginSection(text)
        } else {
            addField(text)
        }
        return nil
    }

    private mutating func endSection(url: URL) -> HTTPResponse? {
        guard let status else { return nil }
        guard status.kind != .informational else {
            self.status = nil
            return nil
        }
        isComplete = true
        return HTTPResponse(status: status, headerFields: fields, version: version, url: url)
    }

    /// Reads `HTTP/1.1 200 OK` (RFC 9112 §4); libcurl has checked the line and writes `HTTP/2 200` for HTTP/2.
    private mutating func beginSection(_ line: UnsafeRawBufferPointer) {
        guard let space = line.firstIndex(of: 0x20) else { return }
        let rest = Self.trim(line[(space + 1)...])
        let codeEnd = rest.firstIndex(of: 0x20) ?? rest.endIndex
        var code = 0
        for byte in rest[..<codeEnd] {
            guard byte &- 0x30 < 10, code < 1000 else { return }
            code = code * 10 + Int(byte &- 0x30)
        }
        status = HTTPResponse.Status(code: code, reasonPhrase: Self.string(Self.trim(rest[codeEnd...])))
        isFoldable = false
        version = HTTPVersion(rawValue: Self.string(UnsafeRawBufferPointer(rebasing: line[..<space]))) ?? .http1_1
        fields = HTTPFields()
        fields.reserveCapacity(Self.usualFieldCount)
    }

    private mutating func addField(_ line: UnsafeRawBufferPointer) {
        isFoldable = false
        guard let colon = line.firstIndex(of: 0x3A),
            let name = name(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        else { return }
        fields.append(HTTPField(name: name, value: Self.string(Self.trim(line[(colon + 1)...]))))
        isFoldable = true
    }

    private func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        if fields.count < formerNames.count, formerNames[fields.count].rawName.utf8.elementsEqual(bytes) {
            return formerNames[fields.count]
        }
        return HTTPField.Name(Self.string(bytes))
    }

    /// For how many fields room is made at first.
    private static let usualFieldCount = 12

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count > 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50 && line[4] == 0x2F
    }

    /// Without white space and line breaks at the ends.
    private static func trim(_ bytes: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        var start = bytes.startIndex
        var end = bytes.endIndex
        let base = bytes.base
        while start < end, isSpace(base[start]) { start += 1 }
        while start < end, isSpace(base[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: base[start..<end])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    /// The bytes as UTF-8, or where they are none, as Latin-1 (RFC 9110 §5.5).
    private static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        let isASCII = bytes.reduce(0) { $0 | $1 } < 0x80
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
