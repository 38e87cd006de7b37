public import Foundation

/// Writes parameters as a property list, or into the query for methods without a body.
public struct PropertyListRequestSerializer: HTTPRequestSerializer {
    /// The form of the list; XML as a default.
    public var format: PropertyListSerialization.PropertyListFormat

    /// Writes the parameters that go into the address: those of the methods that it says.
    public var query: FormRequestSerializer

    /// Makes a serializer.
    public init(format: PropertyListSerialization.PropertyListFormat = .xml, query: FormRequestSerializer = .init()) {
        self.format = format
        self.query = query
    }

    /// The request with the parameters as its body; without parameters it gets none.
    public func serialize(
        _ parameters: HTTPParameters?,
        into request: HTTPRequest
    ) throws(HTTPError) -> HTTPRequest {
        if query.encodesInURI(request) { return try query.serialize(parameters, into: request) }
        guard let parameters else { return request }
        guard !parameters.containsNull else {
            throw .unserializableRequest(reason: "property lists have no null; leave the value out")
        }
        return try serialize(encoding: parameters, into: request)
    }

    /// The request with `value` as its body, whatever its method.
    public func serialize(encoding value: some Encodable, into request: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try request.encoding("application/x-plist") { try encoder.encode(value) }
    }
}

extension HTTPRequestSerializer where Self == PropertyListRequestSerializer {
    /// Parameters as a property list.
    public static var propertyList: Self { Self() }
}

extension HTTPParameter {
    fileprivate var containsNull: Bool {
        switch self {
        case .null: true
        case .array(let elements): elements.contains(where: \.containsNull)
        case .set(let elements): elements.contains(where: \.containsNull)
        case .dictionary(let members): members.contains(where: \.value.containsNull)
        default: false
        }
    }
}
