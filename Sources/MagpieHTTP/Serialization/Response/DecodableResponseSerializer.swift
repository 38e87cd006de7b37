public import Foundation

/// Decodes the body into a value of a declared type, from JSON or a property list.
public struct DecodableResponseSerializer<Output: Decodable>: HTTPResponseSerializer {
    /// Which answers to accept; the types of the decoder's format as a default.
    public var validation: HTTPResponseValidation

    private enum Format {
        case json(JSONDecoder)
        case propertyList(PropertyListDecoder)
    }

    private let format: Format

    /// Decodes JSON.
    public init(
        _ type: Output.Type = Output.self,
        decoder: JSONDecoder = JSONDecoder(),
        validation: HTTPResponseValidation = .init(acceptableContentTypes: JSONResponseSerializer.contentTypes)
    ) {
        self.validation = validation
        format = .json(decoder)
    }

    /// Decodes a property list.
    public init(
        _ type: Output.Type = Output.self,
        decoder: PropertyListDecoder,
        validation: HTTPResponseValidation = .init(acceptableContentTypes: PropertyListResponseSerializer.contentTypes)
    ) {
        self.validation = validation
        format = .propertyList(decoder)
    }

    /// The decoded value; `nil` where the body is empty and the type is an optional one.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Output {
        try validation.validate(response)
        return try decode(response)
    }

    /// Decodes an answer whatever its status and type.
    func decode(_ response: HTTPDataResponse) throws(HTTPError) -> Output {
        let body = response.body
        if body.isEmpty {
            let nothing = (Output.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ())
            if let nothing = nothing as? Output { return nothing }
            throw .undecodableContent(reason: "the body is empty", response.response, body: body)
        }
        do {
            return switch format {
            case .json(let decoder): try decoder.decode(Output.self, from: body)
            case .propertyList(let decoder): try decoder.decode(Output.self, from: body)
            }
        } catch {
            throw .undecodableContent(reason: ContentProblem.reason(of: error), response.response, body: body)
        }
    }
}

extension HTTPDataResponse {
    /// The body as a value of a declared type, from JSON.
    ///
    /// - Throws: `HTTPError` where the status is not from 200 to 299, the type is not JSON, or the body is not of the type.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(HTTPError) -> Value {
        try serialize(with: DecodableResponseSerializer(type, decoder: decoder))
    }

    /// The body as a value of a declared type, from a property list.
    ///
    /// - Throws: `HTTPError` as the function for JSON does.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: PropertyListDecoder
    ) throws(HTTPError) -> Value {
        try serialize(with: DecodableResponseSerializer(type, decoder: decoder))
    }
}
