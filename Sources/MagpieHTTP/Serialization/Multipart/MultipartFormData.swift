public import Foundation

/// A form of many parts (`multipart/form-data`, RFC 7578): texts, data, files, streams.
///
/// Nothing is read before it is sent, and then in constant memory however large the parts are. A part that cannot be had, such
/// as a missing file, is reported when the form is sent or written.
public struct MultipartFormData: Sendable {
    private struct Part: Sendable {
        let headerFields: HTTPFields
        let content: Result<HTTPRequestBody, HTTPError>
    }

    /// The line that separates the parts, without its dashes; occurs in none of them.
    public let boundary: String

    /// Bytes ahead of the first part, which receivers skip (RFC 2046 §5.1.1); none as a default.
    public var preamble = Data()

    private var parts: [Part] = []
    private var pace: (packetSize: Int, delay: Duration)?

    /// Makes a form without parts.
    ///
    /// - Parameter boundary: A boundary of your own, of 1 to 70 of the characters that RFC 2046 §5.1.1 allows; by default a
    ///   random one.
    public init(boundary: String = Self.randomBoundary()) { self.boundary = boundary }

    /// A boundary that no content holds but by intention: `Boundary+` and 16 random digits.
    public static func randomBoundary() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        return "Boundary+\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    /// Whether the form has no parts.
    public var isEmpty: Bool { parts.isEmpty }

    /// What `Content-Type` has to say about the form.
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy(HTTPField.Name.isTokenByte)
        return "multipart/form-data; boundary=\(isToken ? boundary : "\"\(boundary)\"")"
    }

    /// Holds the form back to `packetSize` bytes in each `delay`, for narrow lines; no thread is blocked meanwhile.
    public mutating func throttle(packetSize: Int = 16_384, delay: Duration = .milliseconds(200)) {
        pace = (packetSize, delay)
    }
}

// MARK: - Parts

extension MultipartFormData {
    /// Adds a text.
    public mutating func append(_ text: String, name: String) { append(data: Data(text.utf8), name: name) }

    /// Adds data.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The name under which the receiver shall see a file, if any.
    ///   - mimeType: The type of the content; by default that of the file name's extension, and none without a file name.
    public mutating func append(data: Data, name: String, fileName: String? = nil, mimeType: String? = nil) {
        append(stream: .bytes(data), name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Adds a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - file: The address of the file. Its length is fixed now.
    ///   - name: The name of the form's field.
    ///   - fileName: The name that is sent; by default the file's own.
    ///   - mimeType: The type of the content; by default that of the sent name's extension.
    public mutating func append(file: URL, name: String, fileName: String? = nil, mimeType: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        let fields = Self.headerFields(name: name, fileName: fileName, mimeType: mimeType)
        parts.append(Part(headerFields: fields, content: Result { () throws(HTTPError) in try .file(file) }))
    }

    /// Adds content that is made while it is sent, such as `.sequence(chunks, count: n)`.
    ///
    /// The length of the form is known beforehand if that of each part is; otherwise the form is sent in chunks. Content that
    /// brings another number of bytes than it promised fails the request.
    public mutating func append(
        stream content: HTTPRequestBody,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        append(Self.headerFields(name: name, fileName: fileName, mimeType: mimeType), body: content)
    }

    /// Adds a part with the fields and the content that are given, and nothing else.
    public mutating func append(_ headerFields: HTTPFields, body: HTTPRequestBody) {
        parts.append(Part(headerFields: headerFields, content: .success(body)))
    }

    /// Adds a part for each of the parameters, named and ordered as in a query: data as it is, `null` as empty, the rest as text.
    ///
    /// - Throws: `HTTPError.unserializableRequest` where the parameters are no dictionary.
    public mutating func append(
        _ parameters: HTTPParameters,
        encoding: HTTPFormEncoding = .init()
    ) throws(HTTPError) {
        for pair in try encoding.pairs(of: parameters) {
            if case .data(let data) = pair.value {
                append(data: data, name: pair.name)
            } else {
                append(encoding.text(of: pair.value), name: pair.name)
            }
        }
    }

    private static func headerFields(name: String, fileName: String?, mimeType: String?) -> HTTPFields {
        var disposition = "form-data; name=\"\(escaped(name))\""
        if let fileName { disposition += "; filename=\"\(escaped(fileName))\"" }
        var fields: HTTPFields = [.contentDisposition: disposition]
        fields[.contentType] = mimeType ?? fileName.map(MIMEType.ofFile(named:))
        return fields
    }

    /// What would end the quoted text is percent-encoded, as the WHATWG's HTML Standard §4.10.22.8 has it.
    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

// MARK: - The whole

extension MultipartFormData {
    /// The form as content of a request.
    ///
    /// - Throws: `HTTPError.unreadableBody` where a part cannot be had, and `.unserializableRequest` for a boundary that may not
    ///   be one.
    public func body() throws(HTTPError) -> HTTPRequestBody {
        guard Self.isBoundary(boundary) else {
            throw .unserializableRequest(reason: "“\(boundary)” may not separate parts; let one be made")
        }
        var segments: [HTTPRequestBody] = []
        var text = preamble
        for (index, part) in parts.enumerated() {
            text += Data("\(index == 0 && preamble.isEmpty ? "" : "\r\n")--\(boundary)\r\n".utf8)
            for field in part.headerFields { text += Data("\(field)\r\n".utf8) }
            text += Data("\r\n".utf8)
            let content = try part.content.get()
            // Short texts are joined; long data is not copied.
            if let data = content.data, data.count <= 4096 {
                text += data
            } else {
                segments += [.bytes(text), content]
                text = Data()
            }
        }
        segments.append(.bytes(text + Data("\r\n--\(boundary)--\r\n".utf8)))
        let body = HTTPRequestBody.source(JoinedBodySource(segments))
        guard let pace else { return body }
        return body.throttled(packetSize: pace.packetSize, delay: pace.delay)
    }

    /// The request with the form as its body, and with its type; without parts with an empty form of the plain kind.
    public func serialize(into request: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        guard !isEmpty else { return try FormRequestSerializer().serialize(nil, into: request) }
        var request = request
        request.body = try body()
        request.setContentTypeIfMissing(contentType)
        return request
    }

    /// Writes the form to a file instead of sending it, and gives the file as content to send.
    ///
    /// - Throws: What `body` and `HTTPRequestBody.write(to:)` throw.
    @discardableResult
    public func write(to file: URL) async throws(HTTPError) -> HTTPRequestBody {
        try await body().write(to: file)
        return try .file(file)
    }

    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.last != " "
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }
}
