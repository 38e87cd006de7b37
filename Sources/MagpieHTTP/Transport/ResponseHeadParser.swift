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

    /// Takes one line with its line break.
    ///
    /// - Returns: The head where this line ended it.
    mutating func consume(_ line: UnsafeRawBufferPointer, url: URL) -> HTTPResponse? {
        guard !isComplete else { return nil }
        let text = Self.trim(line)
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
    private mutating func beginSection(_ line: Slice<UnsafeRawBufferPointer>) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let code = Int(Self.string(parts[1])) else { return }
        status = HTTPResponse.Status(code: code, reasonPhrase: parts.count > 2 ? Self.string(parts[2]) : "")
        version = HTTPVersion(rawValue: Self.string(parts[0])) ?? .http1_1
        fields = HTTPFields()
        fields.reserveCapacity(16)
    }

    private mutating func addField(_ line: Slice<UnsafeRawBufferPointer>) {
        guard let colon = line.firstIndex(of: 0x3A) else { return }
        guard let name = HTTPField.Name(Self.string(line[..<colon])) else { return }
        let value = Self.trim(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        fields.append(HTTPField(name: name, value: Self.string(value)))
    }

    private static func isStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool { line.starts(with: "HTTP/".utf8) }

    /// Without white space and line breaks at the ends.
    private static func trim(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var start = bytes.startIndex
        var end = bytes.endIndex
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while start < end,
            bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || bytes[end - 1] == 0x0D
                || bytes[end - 1] == 0x0A
        { end -= 1 }
        return bytes[start..<end]
    }

    /// The bytes as UTF-8, or where they are none, as Latin-1 (RFC 9110 §5.5).
    private static func string(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
