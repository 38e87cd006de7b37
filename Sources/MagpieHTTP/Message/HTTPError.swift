public import Foundation

/// Why an exchange with a server failed.
///
/// A status such as 404 is an answer, not an error. Each case carries what a caller needs to act on it; `description`
/// is one sentence that says what was wrong and what to do, without the URL, so that it can follow one.
public enum HTTPError: Error, Sendable, Hashable {
    /// A step at which patience ended.
    public enum Stage: String, Sendable, Hashable {
        /// Finding the address, connecting, agreeing on TLS.
        case connect
        /// Waiting for the next byte.
        case idle
        /// The whole task.
        case total
    }

    /// Why a server's certificate was not accepted.
    public indirect enum CertificateProblem: Sendable, Hashable {
        /// Its time is over; the last day, such as `2026-03-01`, where it is known.
        case expired(on: String?)
        /// Its time has not come; the first day where it is known.
        case notYetValid(from: String?)
        /// It vouches for itself only.
        case selfSigned
        /// It leads to no authority that is trusted here.
        case unknownAuthority
        /// It was made for other hosts.
        case wrongHost
        /// Neither it nor one above it is pinned, or has a pinned key.
        case pinMismatch
        /// It was withdrawn.
        case revoked
        /// It was made for another purpose than to be a server, or signed by one that was not made to sign.
        case wrongPurpose
        /// The server brought no fresh word of an authority that it was not withdrawn.
        case unconfirmedStatus
        /// The problem is with the certificate of an authority on the way, which has this name.
        case issuer(String, CertificateProblem)
        /// Anything else, in the TLS library's words.
        case other(String)
    }

    /// The text is no absolute URL with a host.
    case invalidURL(String)
    /// The URL's scheme is neither `http` nor `https`.
    case unsupportedScheme(String, URL)
    /// The task was cancelled.
    case cancelled
    /// The session takes no more tasks.
    case sessionInvalidated
    /// No address is known for the host's name.
    case unknownHost(String)
    /// Nothing listens on the port.
    case connectionRefused(host: String, port: Int)
    /// No connection could be made for another reason.
    case cannotConnect(host: String, port: Int, reason: String)
    /// Nothing happened for too long.
    case timedOut(stage: Stage, after: Duration)
    /// The server's certificate was not accepted.
    case untrustedCertificate(host: String, problem: CertificateProblem)
    /// The server wants a certificate of this side's, and got none or one that it does not accept.
    case clientCertificateRefused(host: String, wasGiven: Bool)
    /// Keys or certificates are pinned for the host, and the address does not begin with `https`.
    case pinnedHostWithoutTLS(String)
    /// TLS could not be agreed on for another reason than the certificate.
    case secureConnectionFailed(host: String, reason: String)
    /// A file of certificates, keys or revocation lists cannot be read.
    case unreadableCertificateFile(String)
    /// The proxy cannot be reached, or refuses to lead on.
    case proxyFailed(reason: String)
    /// The proxy wants to know who asks for a tunnel to the server; with its challenges (`Proxy-Authenticate`).
    case proxyAuthenticationRequired(challenges: [String])
    /// This libcurl was built without what the request needs.
    case unsupportedFeature(String)
    /// The process has no file descriptors left.
    case tooManyOpenFiles
    /// The connection ended before the answer was complete.
    case connectionLost(reason: String)
    /// The body ended early: the bytes that came, and those that were announced where the server said.
    case bodyTooShort(received: Int64, expected: Int64?)
    /// More redirects than the limit.
    case tooManyRedirects(limit: Int)
    /// A redirect leads to what is no `http` or `https` address.
    case badRedirect(location: String, from: URL)
    /// The body is longer than the limit, in bytes.
    case responseTooLarge(limit: Int)
    /// The header section is longer than the limit, in bytes.
    case headerTooLarge(limit: Int)
    /// The header section has more fields than the limit.
    case tooManyHeaderFields(limit: Int)
    /// The body is not in the encoding that the server announced.
    case undecodableBody(reason: String)
    /// The content to send cannot be had: a file that is not there, a stream that ended early.
    case unreadableBody(reason: String)
    /// What was to be sent cannot be written in the form that was asked for.
    case unserializableRequest(reason: String)
    /// The status is none of those that were asked for; the answer comes with its body.
    indirect case unacceptableStatus(HTTPResponse, body: Data)
    /// The content is of another type than those that were asked for; the answer comes with its body.
    indirect case unacceptableContentType(String?, HTTPResponse, body: Data)
    /// The content is not what its type promises; the answer comes with its body.
    indirect case undecodableContent(reason: String, HTTPResponse, body: Data)
    /// A file cannot be written: the disk is full, the folder is not there, something else has its name.
    case cannotWriteFile(path: String, reason: String)
    /// What arrived is not what the server announced: another digest, another length than the parts before belong to.
    case contentMismatch(reason: String)
    /// A line of a text is longer than the limit, in bytes.
    case lineTooLong(limit: Int)
    /// The answer is not HTTP.
    case malformedResponse(reason: String)
    /// Nothing usable is in the cache, and the server was not to be asked.
    case notInCache
    /// The file of cookies cannot be read or written.
    case cookieFile(String, reason: String)
    /// Another failure, with the transport's own number and words.
    case transport(code: Int, message: String)

    /// A stable word for the case, for scripts and logs, such as `timed-out`.
    public var code: String {
        switch self {
        case .invalidURL: "invalid-url"
        case .unsupportedScheme: "unsupported-scheme"
        case .cancelled: "cancelled"
        case .sessionInvalidated: "session-invalidated"
        case .unknownHost: "unknown-host"
        case .connectionRefused: "connection-refused"
        case .cannotConnect: "cannot-connect"
        case .timedOut: "timed-out"
        case .untrustedCertificate: "untrusted-certificate"
        case .clientCertificateRefused: "client-certificate-refused"
        case .pinnedHostWithoutTLS: "pinned-host-without-tls"
        case .secureConnectionFailed: "secure-connection-failed"
        case .unreadableCertificateFile: "unreadable-certificate-file"
        case .proxyFailed: "proxy-failed"
        case .proxyAuthenticationRequired: "proxy-authentication-required"
        case .unsupportedFeature: "unsupported-feature"
        case .tooManyOpenFiles: "too-many-open-files"
        case .connectionLost: "connection-lost"
        case .bodyTooShort: "body-too-short"
        case .tooManyRedirects: "too-many-redirects"
        case .badRedirect: "bad-redirect"
        case .responseTooLarge: "response-too-large"
        case .headerTooLarge: "header-too-large"
        case .tooManyHeaderFields: "too-many-header-fields"
        case .undecodableBody: "undecodable-body"
        case .unreadableBody: "unreadable-body"
        case .unserializableRequest: "unserializable-request"
        case .unacceptableStatus: "unacceptable-status"
        case .unacceptableContentType: "unacceptable-content-type"
        case .undecodableContent: "undecodable-content"
        case .cannotWriteFile: "cannot-write-file"
        case .contentMismatch: "content-mismatch"
        case .lineTooLong: "line-too-long"
        case .malformedResponse: "malformed-response"
        case .notInCache: "not-in-cache"
        case .cookieFile: "cookie-file"
        case .transport: "transport"
        }
    }
}
