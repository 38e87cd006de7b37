import Foundation

/// Reads the body as a property list of any shape; see `DecodableResponseSerializer` for a declared one.
public struct PropertyListResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; the type of property lists as a default.
    public var validation: HTTPResponseValidation

    /// Makes a serializer.
    public init(validation: HTTPResponseValidation = .init(acceptableContentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// The type that means a property list.
    public static let contentTypes: Set<String> = ["application/x-plist"]

    /// The list as Foundation's parser gives it, or `nil` where the body is empty.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Any? {
        try validation.validate(response)
        guard !response.body.isEmpty else { return nil }
        do {
            return try PropertyListSerialization.propertyList(from: response.body, format: nil)
        } catch {
            let reason = ContentProblem.reason(of: error)
            throw .undecodableContent(reason: reason, response.response, body: response.body)
        }
    }
}

extension HTTPDataResponse {
    /// The body as a property list of any shape, or `nil` where it is empty.
    ///
    /// - Throws: `HTTPError` where the status is not from 200 to 299, the type is another, or the body is none.
    public func propertyList() throws(HTTPError) -> Any? { try serialize(with: PropertyListResponseSerializer()) }
}
