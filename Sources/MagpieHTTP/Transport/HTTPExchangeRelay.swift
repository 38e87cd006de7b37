import Foundation

/// Stands between a transport and the delegate of an exchange, and passes on what it does not look at.
protocol HTTPExchangeRelay: HTTPExchangeDelegate {
    /// Who receives the answer in the end.
    var delegate: any HTTPExchangeDelegate { get }
}

extension HTTPExchangeRelay {
    func exchangeDidSend(bodyBytes total: Int64) { delegate.exchangeDidSend(bodyBytes: total) }
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow { delegate.exchangeDidReceive(chunk) }
    func exchangeDidReceive(trailers: HTTPFields) { delegate.exchangeDidReceive(trailers: trailers) }
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) { delegate.exchangeDidFinish(result) }
}
