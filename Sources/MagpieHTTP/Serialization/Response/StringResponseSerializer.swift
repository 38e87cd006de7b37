public import Foundation

/// Reads the body as text.
///
/// The encoding is that of the byte order mark, else the one that `Content-Type` names, else the given one (the order of
/// the WHATWG's Encoding Standard §6).
public struct StringResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; any type as a default.
    public var validation: HTTPResponseValidation

    /// The encoding where the answer names none.
    public var defaultEncoding: String.Encoding

    /// Makes a serializer.
    public init(validation: HTTPResponseValidation = .init(), defaultEncoding: String.Encoding = .utf8) {
        self.validation = validation
        self.defaultEncoding = defaultEncoding
    }

    /// The text; empty where the body is.
    ///
    /// - Throws: `HTTPError.undecodableContent` where the name of the encoding is unknown or the bytes are not in it.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> String {
        try validation.validate(response)
        let body = response.body
        if let (encoding, length) = CharacterEncoding.mark(of: body) {
            return try text(of: body.dropFirst(length), in: encoding, response)
        }
        guard let name = response.mediaType?.charset else { return try text(of: body, in: defaultEncoding, response) }
        guard let encoding = CharacterEncoding.named(name) else {
            let reason = "the character encoding “\(name)” is not known"
            throw .undecodableContent(reason: reason, response.response, body: body)
        }
        return try text(of: body, in: encoding, response)
    }

    private func text(
        of bytes: Data,
        in encoding: String.Encoding,
        _ response: HTTPDataResponse
    ) throws(HTTPError) -> String {
        let text =
            encoding == .utf8 ? String(validating: bytes, as: UTF8.self) : String(data: bytes, encoding: encoding)
        guard let text else {
            let reason = "it is no text in the encoding “\(encoding)”"
            throw .undecodableContent(reason: reason, response.response, body: response.body)
        }
        return text
    }
}

extension HTTPDataResponse {
    /// The body as text.
    ///
    /// - Parameter defaultEncoding: The encoding where the answer names none.
    public func string(defaultEncoding: String.Encoding = .utf8) throws(HTTPError) -> String {
        try serialize(with: StringResponseSerializer(defaultEncoding: defaultEncoding))
    }
}
