public import Foundation

/// Who receives the answer of one exchange.
///
/// The calls come one at a time and in order, on a thread of the transport that other exchanges need as well: none of
/// them may block.
public protocol HTTPExchangeDelegate: AnyObject, Sendable {
    /// The final head of the answer has come; interim ones (1xx) are not reported.
    ///
    /// At most once, before any chunk.
    func exchangeDidReceive(_ response: HTTPResponse)

    /// The next part of the body has come, never empty.
    ///
    /// - Returns: Whether to go on. After `.pause` at most one more chunk comes until `HTTPExchange.resume()`.
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow

    /// So much of the request's body has been sent, in bytes from its beginning.
    ///
    /// Comes now and then and after the last byte, at any time before the end; a body that is sent again begins anew.
    func exchangeDidSend(bodyBytes total: Int64)

    /// Fields came after the body (RFC 9110 §6.5): at most once, after the last chunk.
    ///
    /// They are what the server says after the fact; nothing about the message may be taken from them.
    func exchangeDidReceive(trailers: HTTPFields)

    /// The exchange is over.
    ///
    /// Exactly once, and the last call.
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>)
}

extension HTTPExchangeDelegate {
    /// Does nothing.
    public func exchangeDidSend(bodyBytes total: Int64) {}

    /// Does nothing.
    public func exchangeDidReceive(trailers: HTTPFields) {}
}
