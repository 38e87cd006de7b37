import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// Writes down what a transport tells about one exchange.
final class ExchangeListener: HTTPExchangeDelegate {
    private struct Record {
        var totals: [Int64] = []
        var trailers: HTTPFields = [:]
    }

    private let record = Lock(Record())
    let end = TestGate()

    /// What was said to have been sent, each time.
    var totals: [Int64] { record.withLock { $0.totals } }

    var trailers: HTTPFields { record.withLock { $0.trailers } }

    func exchangeDidSend(bodyBytes total: Int64) { record.withLock { $0.totals.append(total) } }
    func exchangeDidReceive(_ response: HTTPResponse) {}
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow { .proceed }
    func exchangeDidReceive(trailers: HTTPFields) { record.withLock { $0.trailers = trailers } }
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) { end.open() }
}
