public import Foundation

/// Hands the body over as it is.
public struct DataResponseSerializer: HTTPResponseSerializer {
    /// Which answers to accept; any type as a default.
    public var validation: HTTPResponseValidation

    /// Makes a serializer.
    public init(validation: HTTPResponseValidation = .init()) { self.validation = validation }

    /// The body.
    public func serialize(_ response: HTTPDataResponse) throws(HTTPError) -> Data {
        try validation.validate(response)
        return response.body
    }
}
