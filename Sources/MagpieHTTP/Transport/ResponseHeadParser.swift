import Foundation

/// Puts a response head together from the lines of the header section, as libcurl hands them over one by one, and
/// collects the trailers that follow the body.
///
/// Interim answers (1xx) are dropped. Lines that libcurl looks over and another reader may take for something else are
/// errors: a second status line, white space before a colon, a folded field that says where the body ends.
struct ResponseHeadParser {
    private(set) var isComplete = false
    /// The fields that came after the body (RFC 9110 §6.5).
    private(set) var trailers = HTTPFields()

    private var status: HTTPResponse.Status?
    private var version = HTTPVersion.http1_1
    private var fields = HTTPFields()
    private var limits = HTTPHeaderLimits()
    private var size = 0
    private var fieldCount = 0
    private var interimCount = 0
    /// The line before, where it was a field that a folded line may continue.
    private var foldableName: HTTPField.Name?
    /// The names of the head before.
    ///
    /// Answers of a server look alike: most names are found again in their place.
    private var formerNames: [HTTPField.Name] = []

    /// For how many fields room is made at first.
    private static let usualFieldCount = 12

    /// How many interim answers may come before the final one; servers send one or two.
    private static let maximumInterimAnswers = 32

    /// Makes ready for another answer.
    mutating func reset(limits: HTTPHeaderLimits) {
        if isComplete { formerNames = fields.map(\.name) }
        status = nil
        version = .http1_1
        fields = HTTPFields()
        trailers = HTTPFields()
        isComplete = false
        self.limits = limits
        size = 0
        fieldCount = 0
        interimCount = 0
        foldableName = nil
    }

    /// Whether any line has come.
    var hasBegun: Bool { size > 0 }

    /// Takes one line with its line break.
    ///
    /// - Returns: The head where this line ended it.
    mutating func consume(_ line: UnsafeRawBufferPointer, url: URL) throws(HTTPError) -> HTTPResponse? {
        size += line.count
        guard size <= limits.size else { throw .headerTooLarge(limit: limits.size) }
        let text = Self.trim(line[...])
        // Also a line of white space alone goes on; it ends nothing.
        if hasBegun, let first = line.first, first == 0x20 || first == 0x09 {
            try fold(text)
        } else if isComplete {
            if !text.isEmpty { try addField(text) }
        } else if text.isEmpty {
            return try endSection(url: url)
        } else if status == nil {
            try beginSection(text)
        } else {
            try addField(text)
        }
        return nil
    }

    private mutating func endSection(url: URL) throws(HTTPError) -> HTTPResponse? {
        guard let status else { return nil }
        foldableName = nil
        guard status.kind != .informational else {
            self.status = nil
            interimCount += 1
            guard interimCount <= Self.maximumInterimAnswers else {
                throw .malformedResponse(reason: "interim answers without end")
            }
            return nil
        }
        isComplete = true
        return HTTPResponse(status: status, headerFields: fields, version: version, url: url)
    }

    /// Reads `HTTP/1.1 200 OK` (RFC 9112 §4); libcurl has checked the line and writes `HTTP/2 200` for HTTP/2.
    private mutating func beginSection(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let space = line.firstIndex(of: 0x20) else { throw Self.notAStatusLine }
        let rest = Self.trim(line[(space + 1)...])
        let codeEnd = rest.firstIndex(of: 0x20) ?? rest.endIndex
        var code = 0
        for byte in rest[..<codeEnd] {
            guard byte &- 0x30 < 10, code < 1000 else { throw Self.notAStatusLine }
            code = code * 10 + Int(byte &- 0x30)
        }
        status = HTTPResponse.Status(code: code, reasonPhrase: Self.string(Self.trim(rest[codeEnd...])))
        version = HTTPVersion(rawValue: Self.string(UnsafeRawBufferPointer(rebasing: line[..<space]))) ?? .http1_1
        fields = HTTPFields()
        fields.reserveCapacity(Self.usualFieldCount)
    }

    private mutating func addField(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
        foldableName = nil
        fieldCount += 1
        guard fieldCount <= limits.count else { throw .tooManyHeaderFields(limit: limits.count) }
        guard let colon = line.firstIndex(of: 0x3A) else {
            if Self.isStatusLine(line) { throw .malformedResponse(reason: "two status lines in one answer") }
            return
        }
        guard colon > 0, !Self.isSpace(line[colon - 1]) else {
            throw .malformedResponse(reason: "white space before the colon of a field")
        }
        guard let name = name(UnsafeRawBufferPointer(rebasing: line[..<colon])) else { return }
        let field = HTTPField(name: name, value: Self.string(Self.trim(line[(colon + 1)...])))
        if isComplete { trailers.append(field) } else { fields.append(field) }
        foldableName = name
    }

    /// Goes on with the field of the line before (RFC 9112 §5.2).
    private mutating func fold(_ text: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let name = foldableName else { return }
        guard name != .contentLength, name != .transferEncoding else {
            throw .malformedResponse(reason: "\(name.rawName) over several lines")
        }
        let line = Self.string(text)
        if isComplete { trailers.append(foldedLine: line) } else { fields.append(foldedLine: line) }
    }

    private func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        if !isComplete, fields.count < formerNames.count,
            formerNames[fields.count].rawName.utf8.elementsEqual(bytes)
        {
            return formerNames[fields.count]
        }
        return HTTPField.Name(Self.string(bytes))
    }

    private static let notAStatusLine = HTTPError.malformedResponse(reason: "no valid status line")

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F])
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
