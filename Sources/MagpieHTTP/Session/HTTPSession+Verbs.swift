import Foundation

/// The methods of HTTP by their names.
///
/// Each takes an address, absolute or relative to the session's base URL, and loads the whole answer into memory; a status
/// such as 404 is an answer and not an error. `parameters` are written by the configuration's `requestSerializer`, `query` goes
/// into the address whatever the method, and `headerFields` override what the serializer and the session say. Of `post`, `put` and `patch`, `progress` is told how much has
/// been sent; of `get`, how much has come.
extension HTTPSession {
    /// Loads an address.
    ///
    /// - Parameters:
    ///   - path: The address.
    ///   - query: What to add to the query of the address.
    ///   - headerFields: The fields of this request.
    ///   - progress: Is told of each part of the body that arrives, on a thread of the transport; must not block.
    public func get(
        _ path: String,
        query: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        try await data(for: request(.get, path, query: query, headerFields: headerFields), progress: progress)
    }

    /// Asks for the head that a `get` would have, without the body.
    public func head(
        _ path: String,
        query: HTTPParameters? = nil,
        headerFields: HTTPFields = [:]
    ) async throws(HTTPError) -> HTTPDataResponse {
        try await data(for: request(.head, path, query: query, headerFields: headerFields))
    }

    /// Removes what is at the address.
    ///
    /// The parameters go into the query, unless the serializer is told otherwise.
    public func delete(
        _ path: String,
        query: HTTPParameters? = nil,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:]
    ) async throws(HTTPError) -> HTTPDataResponse {
        try await data(for: request(.delete, path, query: query, parameters: parameters, headerFields: headerFields))
    }

    /// Sends parameters to be processed.
    public func post(
        _ path: String,
        query: HTTPParameters? = nil,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.post, path, query: query, parameters: parameters, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Sends a form (`application/x-www-form-urlencoded`) to be processed.
    public func post(
        _ path: String,
        query: HTTPParameters? = nil,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.post, path, query: query, form: form, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Sends a value as JSON to be processed.
    public func post(
        _ path: String,
        query: HTTPParameters? = nil,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.post, path, query: query, json: json, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Puts parameters in the place of what is at the address.
    public func put(
        _ path: String,
        query: HTTPParameters? = nil,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.put, path, query: query, parameters: parameters, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Puts a form in the place of what is at the address.
    public func put(
        _ path: String,
        query: HTTPParameters? = nil,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.put, path, query: query, form: form, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Puts a value as JSON in the place of what is at the address.
    public func put(
        _ path: String,
        query: HTTPParameters? = nil,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.put, path, query: query, json: json, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Changes what is at the address as the parameters say.
    public func patch(
        _ path: String,
        query: HTTPParameters? = nil,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.patch, path, query: query, parameters: parameters, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Changes what is at the address as a form says.
    public func patch(
        _ path: String,
        query: HTTPParameters? = nil,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.patch, path, query: query, form: form, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Changes what is at the address as a value in JSON says.
    public func patch(
        _ path: String,
        query: HTTPParameters? = nil,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try request(.patch, path, query: query, json: json, headerFields: headerFields)
        return try await data(for: request, uploadProgress: progress)
    }
}
