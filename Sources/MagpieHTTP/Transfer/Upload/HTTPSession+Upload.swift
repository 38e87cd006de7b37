public import Foundation

/// Content that is sent, with its progress.
///
/// Each function takes an address, absolute or relative to the session's base URL, sends the content as it is read, in
/// constant memory however large it is, and loads the whole answer; a status such as 404 is an answer and not an error.
extension HTTPSession {
    /// Sends content: data, a file, a sequence, a form.
    ///
    /// - Parameters:
    ///   - path: The address.
    ///   - body: The content, such as `.bytes(data)` or `.sequence(chunks)`.
    ///   - method: What is asked to be done with it.
    ///   - headerFields: The fields of this request; `Content-Type` says what the content is.
    ///   - progress: Is told how much has been sent, on a thread of the transport; must not block.
    @discardableResult
    public func upload(
        to path: String,
        body: HTTPRequestBody,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try uploadRequest(method, path, body, headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Sends a file, of the type that its name says where `headerFields` do not.
    @discardableResult
    public func upload(
        to path: String,
        file: URL,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try uploadRequest(file, method, path, headerFields)
        return try await data(for: request, uploadProgress: progress)
    }

    /// Sends a form of many parts (`multipart/form-data`), to which `build` adds the parts.
    @discardableResult
    public func upload(
        to path: String,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        form build: (inout MultipartFormData) throws(HTTPError) -> Void,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPError) -> HTTPDataResponse {
        let request = try uploadRequest(method, path, headerFields, form: build)
        return try await data(for: request, uploadProgress: progress)
    }
}

/// The same for programs that want to be called back.
///
/// `completion` is called exactly once, on a thread of the library. Where no request could be made of the arguments, such
/// as a file that is not there, there is no task.
extension HTTPSession {
    /// Starts to send content.
    @discardableResult
    public func upload(
        to path: String,
        body: HTTPRequestBody,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) -> HTTPTask? {
        upload(progress, completion) { () throws(HTTPError) in try uploadRequest(method, path, body, headerFields) }
    }

    /// Starts to send a file, of the type that its name says where `headerFields` do not.
    @discardableResult
    public func upload(
        to path: String,
        file: URL,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) -> HTTPTask? {
        upload(progress, completion) { () throws(HTTPError) in try uploadRequest(file, method, path, headerFields) }
    }

    /// Starts to send a form of many parts (`multipart/form-data`), to which `build` adds the parts.
    @discardableResult
    public func upload(
        to path: String,
        method: HTTPRequest.Method = .post,
        headerFields: HTTPFields = [:],
        form build: (inout MultipartFormData) throws(HTTPError) -> Void,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void
    ) -> HTTPTask? {
        upload(progress, completion) { () throws(HTTPError) in
            try uploadRequest(method, path, headerFields, form: build)
        }
    }

    private func upload(
        _ progress: (@Sendable (HTTPProgress) -> Void)?,
        _ completion: @escaping @Sendable (Result<HTTPDataResponse, HTTPError>) -> Void,
        _ makeRequest: () throws(HTTPError) -> HTTPRequest
    ) -> HTTPTask? {
        do throws(HTTPError) {
            return data(for: try makeRequest(), uploadProgress: progress, completion: completion)
        } catch {
            completion(.failure(error))
            return nil
        }
    }
}

// MARK: - Requests

extension HTTPSession {
    private func uploadRequest(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: HTTPRequestBody,
        _ headerFields: HTTPFields
    ) throws(HTTPError) -> HTTPRequest {
        HTTPRequest(method: method, url: try url(for: path), headerFields: headerFields, body: body)
    }

    private func uploadRequest(
        _ file: URL,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headerFields: HTTPFields
    ) throws(HTTPError) -> HTTPRequest {
        var request = try uploadRequest(method, path, .file(file), headerFields)
        if !request.headerFields.contains(.contentType) {
            request.headerFields[.contentType] = MIMEType.ofFile(named: file.lastPathComponent)
        }
        return request
    }

    private func uploadRequest(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headerFields: HTTPFields,
        form build: (inout MultipartFormData) throws(HTTPError) -> Void
    ) throws(HTTPError) -> HTTPRequest {
        var form = MultipartFormData()
        try build(&form)
        var request = try uploadRequest(method, path, form.body(), headerFields)
        // The boundary is in it: another type would make the form unreadable.
        request.headerFields[.contentType] = form.contentType
        return request
    }
}
