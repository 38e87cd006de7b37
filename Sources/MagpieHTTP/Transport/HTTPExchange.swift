/// One request on its way, as a transport's caller holds it.
///
/// Both functions return at once and may be called from any thread, also from within the delegate's functions.
public protocol HTTPExchange: AnyObject, Sendable {
    /// Ends the exchange and frees its connection.
    ///
    /// The delegate gets exactly one `exchangeDidFinish`: with `HTTPError.cancelled`, or with the result that was on its
    /// way already. A head or a chunk that the transport is just handing over may still come before it.
    func cancel()

    /// Goes on after the delegate asked for a pause; does nothing where the exchange is not paused.
    func resume()
}
