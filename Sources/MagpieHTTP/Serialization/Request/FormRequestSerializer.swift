import Foundation

/// Writes parameters as a query or as a form (`application/x-www-form-urlencoded`), by the method of the request.
public struct FormRequestSerializer: HTTPRequestSerializer {
    /// Makes the query or the form of the parameters for a request.
    ///
    /// What it throws ends the request: an `HTTPError` as it is, another error as `unserializableRequest`.
    public typealias QuerySerialization = @Sendable (HTTPRequest, HTTPParameters) throws -> String

    /// How names and values are written.
    public var encoding: HTTPFormEncoding

    /// The methods whose parameters go into the address; those of others become the body.
    public var methodsEncodingParametersInURI: Set<HTTPRequest.Method>

    /// Writes the parameters in place of `encoding`, where it is set.
    public var querySerialization: QuerySerialization?

    /// Makes a serializer.
    public init(
        encoding: HTTPFormEncoding = .init(),
        methodsEncodingParametersInURI: Set<HTTPRequest.Method> = [.get, .head, .delete],
        querySerialization: QuerySerialization? = nil
    ) {
        self.encoding = encoding
        self.methodsEncodingParametersInURI = methodsEncodingParametersInURI
        self.querySerialization = querySerialization
    }

    /// The serializer itself.
    public var query: FormRequestSerializer { self }

    /// The request with the parameters in its query or as its body; without parameters the body of a POST is empty.
    public func serialize(
        _ parameters: HTTPParameters?,
        into request: HTTPRequest
    ) throws(HTTPError) -> HTTPRequest {
        if encodesInURI(request) { return try addingQuery(parameters, to: request) }
        var request = request
        request.body = .bytes(Data(try text(of: parameters, for: request).utf8))
        request.setContentTypeIfMissing("application/x-www-form-urlencoded")
        return request
    }

    /// Whether the parameters of the request go into its address.
    func encodesInURI(_ request: HTTPRequest) -> Bool { methodsEncodingParametersInURI.contains(request.method) }

    /// The request with the parameters in its query, whatever its method, behind what the query holds already.
    public func addingQuery(
        _ parameters: HTTPParameters?,
        to request: HTTPRequest
    ) throws(HTTPError) -> HTTPRequest {
        let query = try text(of: parameters, for: request)
        guard !query.isEmpty else { return request }
        // As text, so that what the address holds already stays letter for letter.
        let address = request.url.absoluteString
        let end = address.firstIndex(of: "#") ?? address.endIndex
        let separator = address[..<end].contains("?") ? "&" : "?"
        let text = "\(address[..<end])\(separator)\(query)\(address[end...])"
        guard let url = URL(string: text) else { throw .invalidURL(text) }
        var request = request
        request.url = url
        return request
    }

    private func text(of parameters: HTTPParameters?, for request: HTTPRequest) throws(HTTPError) -> String {
        guard let parameters else { return "" }
        guard let querySerialization else { return try encoding.string(of: parameters) }
        do {
            return try querySerialization(request, parameters)
        } catch let error as HTTPError {
            throw error
        } catch {
            throw .unserializableRequest(reason: "\(error)")
        }
    }
}

extension HTTPRequestSerializer where Self == FormRequestSerializer {
    /// Parameters in the query or as a form.
    public static var form: Self { Self() }
}

extension HTTPRequest {
    /// Says what the body is, unless the caller has said so.
    mutating func setContentTypeIfMissing(_ type: String) {
        if !headerFields.contains(.contentType) { headerFields[.contentType] = type }
    }
}
