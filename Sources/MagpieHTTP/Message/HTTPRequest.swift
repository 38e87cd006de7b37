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

    /// How the session's cache is used, if there is one.
    public var cachePolicy: CachePolicy = .useProtocolCachePolicy

    /// Whether the session's cookies are sent and those of the answer kept.
    ///
    /// A `Cookie` field of the request's own is sent in place of the session's cookies.
    public var handlesCookies = true

    /// The page on whose behalf the request is made, which decides what is a cookie of a third party.
    ///
    /// `nil` stands for the request's own address.
    public var mainDocumentURL: URL?

    /// Makes a request.
    public init(method: Method = .get, url: URL, headerFields: HTTPFields = [:], body: HTTPRequestBody? = nil) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.body = body
    }
}
