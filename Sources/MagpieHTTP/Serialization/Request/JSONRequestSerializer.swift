public import Foundation

/// Writes parameters as JSON (RFC 8259), or into the query for methods without a body.
public struct JSONRequestSerializer: HTTPRequestSerializer {
    /// Writes the JSON: its options and its form of dates and bytes.
    public var encoder: JSONEncoder

    /// Writes the parameters that go into the address: those of the methods that it says.
    public var query: FormRequestSerializer

    /// Makes a serializer.
    public init(encoder: JSONEncoder = Self.standardEncoder, query: FormRequestSerializer = .init()) {
        self.encoder = encoder
        self.query = query
    }

    /// A new encoder that writes dates by ISO 8601 and members sorted by name so that the same value is always written in the same way.
    public static var standardEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The request with the parameters as its body; without parameters it gets none.
    public func serialize(
        _ parameters: HTTPParameters?,
        into request: HTTPRequest
    ) throws(HTTPError) -> HTTPRequest {
        if query.encodesInURI(request) { return try query.serialize(parameters, into: request) }
        guard let parameters else { return request }
        return try serialize(encoding: parameters, into: request)
    }

    /// The request with `value` as its body, whatever its method.
    public func serialize(encoding value: some Encodable, into request: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        try request.encoding("application/json") { try encoder.encode(value) }
    }
}

extension HTTPRequestSerializer where Self == JSONRequestSerializer {
    /// Parameters as JSON.
    public static var json: Self { Self() }
}
