public import Foundation

/// What to ask a server for: a method, a URL, header fields and perhaps a body (RFC 9110 §3.4).
public struct HTTPRequest: Sendable, Hashable {
    /// What is asked to be done.
    public var method: Method

    /// The address: `http` or `https`.
    ///
    /// A fragment stays with the client and is never sent.
    public var url: URL

    /// The fields to send.
    ///
    /// `Host`, `Content-Length` and the like are added by the transport.
    public var headerFields: HTTPFields

    /// The content to send, if any.
    public var body: HTTPRequestBody?

    /// The patience for this request; `nil` takes the session's.
    public var timeouts: HTTPTimeouts?

    /// How urgent the request is among those that wait in its session.
    public var priority: HTTPPriority = .normal

    /// Who asks; shown to the request's own origin alone, and `nil` takes the session's.
    public var credential: HTTPCredential?

    /// What other rooms keep with the request.
    package var attachment: HTTPRequestAttachment?

    /// Makes a request.
    public init(method: Method = .get, url: URL, headerFields: HTTPFields = [:], body: HTTPRequestBody? = nil) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.body = body
    }
}
