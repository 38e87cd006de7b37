import Foundation

/// The methods that send a body, for programs that want to be called back; as those of the same names that are awaited.
extension HTTPSession {
    /// Sends parameters to be processed.
    @discardableResult
    public func post<Serializer: HTTPResponseSerializer>(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.post, path, parameters: parameters, headerFields: headerFields)
        }
    }

    /// Sends a form (`application/x-www-form-urlencoded`) to be processed.
    @discardableResult
    public func post<Serializer: HTTPResponseSerializer>(
        _ path: String,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.post, path, form: form, headerFields: headerFields)
        }
    }

    /// Sends a value as JSON to be processed.
    @discardableResult
    public func post<Serializer: HTTPResponseSerializer>(
        _ path: String,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.post, path, json: json, headerFields: headerFields)
        }
    }

    /// Puts parameters in the place of what is at the address.
    @discardableResult
    public func put<Serializer: HTTPResponseSerializer>(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.put, path, parameters: parameters, headerFields: headerFields)
        }
    }

    /// Puts a form in the place of what is at the address.
    @discardableResult
    public func put<Serializer: HTTPResponseSerializer>(
        _ path: String,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.put, path, form: form, headerFields: headerFields)
        }
    }

    /// Puts a value as JSON in the place of what is at the address.
    @discardableResult
    public func put<Serializer: HTTPResponseSerializer>(
        _ path: String,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.put, path, json: json, headerFields: headerFields)
        }
    }

    /// Changes what is at the address as the parameters say.
    @discardableResult
    public func patch<Serializer: HTTPResponseSerializer>(
        _ path: String,
        parameters: HTTPParameters? = nil,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.patch, path, parameters: parameters, headerFields: headerFields)
        }
    }

    /// Changes what is at the address as a form says.
    @discardableResult
    public func patch<Serializer: HTTPResponseSerializer>(
        _ path: String,
        form: HTTPParameters,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.patch, path, form: form, headerFields: headerFields)
        }
    }

    /// Changes what is at the address as a value in JSON says.
    @discardableResult
    public func patch<Serializer: HTTPResponseSerializer>(
        _ path: String,
        json: some Encodable,
        headerFields: HTTPFields = [:],
        serializer: Serializer = DataResponseSerializer(),
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        success: @escaping Success<Serializer.Output>,
        failure: @escaping Failure
    ) -> HTTPTask? {
        load(uploadProgress: progress, serializer: serializer, success: success, failure: failure) {
            () throws(HTTPError) in try request(.patch, path, json: json, headerFields: headerFields)
        }
    }
}
