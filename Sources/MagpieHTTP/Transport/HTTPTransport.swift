/// What carries requests to servers: the seam below `HTTPSession`.
///
/// A transport runs each exchange by itself: it queues nothing, follows no redirect and repeats nothing; that is the
/// session's work. Any number of exchanges may run at once.
public protocol HTTPTransport: Sendable {
    /// Starts one exchange: one request, one answer.
    ///
    /// Returns at once. The delegate hears of the exchange from then on, possibly before this function has returned, on
    /// a thread of the transport, one call at a time and in order, and is kept alive until the exchange has finished.
    ///
    /// - Parameters:
    ///   - request: What to send. Its `timeouts` and `priority` are not looked at.
    ///   - settings: How to send it.
    ///   - delegate: Who receives the answer.
    /// - Returns: The exchange, to cancel or to resume it.
    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange

    /// Ends all exchanges with `HTTPError.cancelled` and gives connections and threads back.
    ///
    /// An exchange that is started later ends in the same way at once. Calling it again does nothing.
    func shutdown()
}
