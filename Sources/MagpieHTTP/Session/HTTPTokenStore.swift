/// Where an interceptor gets the token with which requests prove who asks, and a new one when it has run out.
public protocol HTTPTokenStore: Sendable {
    /// The token to send, or `nil` where there is none yet and requests go without.
    func token() async throws(HTTPError) -> String?

    /// Gets a new token; the next `token()` returns it.
    ///
    /// Called once however many requests wait for it. A request that this sends must go through another session, or
    /// through one without the interceptor.
    ///
    /// - Parameter stale: The token that a server has refused.
    func refresh(_ stale: String) async throws(HTTPError) -> String

    /// Puts the token into the request; as a bearer token (RFC 6750) by default.
    func authorize(_ request: inout HTTPRequest, with token: String)

    /// Whether the answer says that the token is not good any more; 401 by default.
    func isRefused(_ response: HTTPResponse) -> Bool
}

extension HTTPTokenStore {
    /// Sets the `Authorization` field to the bearer token.
    public func authorize(_ request: inout HTTPRequest, with token: String) {
        request.headerFields[.authorization] = HTTPCredential.bearer(token).authorization
    }

    /// Whether the status is 401.
    public func isRefused(_ response: HTTPResponse) -> Bool { response.status.code == 401 }
}
