public import Foundation

/// Reads the body as JSON of any shape; see `DecodableResponseSerializer` for a declared one.
public struct JSONResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; the types of JSON as a default.
    public var validation: HTTPResponseValidation

    /// How the text is read; `.fragmentsAllowed` as a default, so that a text may be a single value (RFC 8259 §2).
    public var options: JSONSerialization.ReadingOptions

    /// Whether members and elements that are `null` are left out, at every level.
    public var removesKeysWithNullValues: Bool

    /// Makes a serializer.
    public init(
        validation: HTTPResponseValidation = .init(acceptableContentTypes: Self.contentTypes),
        options: JSONSerialization.ReadingOptions = .fragmentsAllowed,
        removesKeysWithNullValues: Bool = false
    ) {
        self.validation = validation
        self.options = options
        self.removesKeysWithNullValues = removesKeysWithNullValues
    }

    /// The types that mean JSON, among them those that RFC 6839 derives from it.
    public static let contentTypes: Set<String> = [
        "application/json", "text/json", "text/javascript", "application/*+json",
    ]

    /// The value; `null` where the body is empty or, as some servers have it, a single space.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> JSONValue {
        try validation.validate(response)
        let body = response.body
        if body.isEmpty || body.count == 1 && body.first == 0x20 { return .null }
        do {
            let value = JSONValue(try JSONSerialization.jsonObject(with: body, options: options))
            return removesKeysWithNullValues ? value.removingNulls() : value
        } catch {
            throw .undecodableContent(reason: ContentProblem.reason(of: error), response.response, body: body)
        }
    }
}

extension HTTPDataResponse {
    /// The body as JSON of any shape.
    ///
    /// - Throws: `HTTPError` where the status is not from 200 to 299, the type is not JSON, or the body is none.
    public func json() throws(HTTPError) -> JSONValue { try serialize(with: JSONResponseSerializer()) }
}
