public import Foundation

/// The head of a server's answer (RFC 9110 §3.4); the body comes apart from it.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code and its phrase.
    public var status: Status

    /// The fields as they were received, in order.
    ///
    /// `Content-Encoding` and `Content-Length` describe the bytes on the wire even where the body is handed over
    /// decoded.
    public var headerFields: HTTPFields

    /// The version of the protocol that carried the answer.
    public var version: HTTPVersion

    /// The address that answered: that of the request, or the last one after redirects.
    public var url: URL

    /// Makes a response head.
    public init(status: Status, headerFields: HTTPFields = [:], version: HTTPVersion = .http1_1, url: URL) {
        self.status = status
        self.headerFields = headerFields
        self.version = version
        self.url = url
    }

    /// The number in `Content-Length`, where the field stands and is a number (RFC 9110 §8.6).
    public var contentLength: Int64? {
        guard let value = headerFields[.contentLength], let length = Int64(value), length >= 0 else { return nil }
        return length
    }
}
