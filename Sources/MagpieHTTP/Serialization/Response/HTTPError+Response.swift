public import Foundation

extension HTTPError {
    /// The answer that was not acceptable, for the errors of serializers.
    public var response: HTTPResponse? { content?.response }

    /// The body of the answer that was not acceptable, for the errors of serializers.
    public var body: Data? { content?.body }

    /// The body as a value of a declared type, from JSON: what a server says about its refusal.
    ///
    /// - Throws: `HTTPError.undecodableContent` where the body is not of the type, and this error itself where it has no body.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(HTTPError) -> Value {
        guard let content else { throw self }
        return try DecodableResponseSerializer(type, decoder: decoder).decode(content)
    }

    private var content: HTTPDataResponse? {
        switch self {
        case .unacceptableStatus(let response, let body),
            .unacceptableContentType(_, let response, let body),
            .undecodableContent(_, let response, let body):
            HTTPDataResponse(response: response, body: body, metrics: HTTPTaskMetrics())
        default: nil
        }
    }
}
