import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// A transport without a network whose answers a test gives, step by step.
final class SteeredTransport: HTTPTransport {
    /// One exchange: what was asked, and what its caller did with it.
    final class Exchange: HTTPExchange {
        let request: HTTPRequest
        let delegate: any HTTPExchangeDelegate
        private let cancels = Lock(0)

        init(request: HTTPRequest, delegate: any HTTPExchangeDelegate) {
            self.request = request
            self.delegate = delegate
        }

        var isCancelled: Bool { cancels.withLock { $0 > 0 } }

        func cancel() { cancels.withLock { $0 += 1 } }
        func resume() {}

        func head(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) {
            delegate.exchangeDidReceive(HTTPResponse(status: status, headerFields: fields, url: request.url))
        }

        func chunk(_ text: String) { _ = delegate.exchangeDidReceive(Data(text.utf8)) }

        func end() { delegate.exchangeDidFinish(.success(HTTPTaskMetrics())) }

        func answer(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: String = "") {
            head(status, fields)
            if !body.isEmpty { chunk(body) }
            end()
        }
    }

    private let exchanges = Lock<[Exchange]>([])

    var count: Int { exchanges.withLock { $0.count } }

    /// The exchange of a number from zero, once it has been started.
    func exchange(_ number: Int) async throws -> Exchange {
        guard await eventually({ self.count > number }) else { throw HTTPError.notInCache }
        return exchanges.withLock { $0[number] }
    }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        let exchange = Exchange(request: request, delegate: delegate)
        exchanges.withLock { $0.append(exchange) }
        return exchange
    }

    func shutdown() {}
}
