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

    /// The exchange is over.
    ///
    /// Exactly once, and the last call.
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>)
}

extension HTTPExchangeDelegate {
    /// Does nothing.
    public func exchangeDidSend(bodyBytes total: Int64) {}
}
