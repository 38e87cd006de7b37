import Foundation

extension HTTPSession {
    /// A request for an address, absolute or relative to the session's base URL, that is not sent yet.
    ///
    /// - Parameters:
    ///   - method: What is asked to be done.
    ///   - path: The address.
    ///   - query: What to add to the query of the address, whatever the method.
    ///   - parameters: What the configuration's `requestSerializer` writes into the address or the body, by the method.
    ///   - headerFields: The fields of this request; they override what the serializer and the session say.
    /// - Throws: `HTTPError.invalidURL`, or what the serializer throws.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: HTTPParameters? = nil,
        parameters: HTTPParameters?,
        headerFields: HTTPFields = [:]
    ) throws(HTTPError) -> HTTPRequest {
        let request = try request(method, path, query: query, headerFields: headerFields)
        return try configuration.requestSerializer.serialize(parameters, into: request)
    }

    /// A request with a form (`application/x-www-form-urlencoded`) as its body, that is not sent yet.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: HTTPParameters? = nil,
        form: HTTPParameters,
        headerFields: HTTPFields = [:]
    ) throws(HTTPError) -> HTTPRequest {
        var serializer = configuration.requestSerializer.query
        serializer.methodsEncodingParametersInURI = []
        let request = try request(method, path, query: query, headerFields: headerFields)
        return try serializer.serialize(form, into: request)
    }

    /// A request with a value as JSON as its body, that is not sent yet.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: HTTPParameters? = nil,
        json: some Encodable,
        headerFields: HTTPFields = [:]
    ) throws(HTTPError) -> HTTPRequest {
        let serializer = configuration.requestSerializer as? JSONRequestSerializer ?? .json
        let request = try request(method, path, query: query, headerFields: headerFields)
        return try serializer.serialize(encoding: json, into: request)
    }

    /// A request without a body, that is not sent yet.
    public func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String,
        query: HTTPParameters? = nil,
        headerFields: HTTPFields = [:]
    ) throws(HTTPError) -> HTTPRequest {
        let request = HTTPRequest(method: method, url: try url(for: path), headerFields: headerFields)
        return try configuration.requestSerializer.query.addingQuery(query, to: request)
    }
}
