import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// How a caller's pauses reach the exchange with the server.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCacheFlowTests {
    /// Pauses at the chunks of these numbers, and takes the pause back before it is known.
    private final class HastyListener: HTTPExchangeDelegate {
        private let exchange = Lock<(any HTTPExchange)?>(nil)
        private let count = Lock(0)
        private let pauses: Set<Int>

        init(pauses: Set<Int>) { self.pauses = pauses }

        func begin(_ exchange: any HTTPExchange) { self.exchange.withLock { $0 = exchange } }

        func exchangeDidReceive(_ response: HTTPResponse) {}
        func exchangeDidReceive(_ chunk: Data) -> HTTPFlow {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            guard pauses.contains(number) else { return .proceed }
            exchange.withLock { $0 }?.resume()
            return .pause
        }
        func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) {}
    }

    /// The answer begins before the base transport has given its exchange back: what is taken back then is not lost.
    @Test(arguments: [Set([0]), Set([1])]) func passesOnAResumeThatComesEarly(_ pauses: Set<Int>) throws {
        let listener = HastyListener(pauses: pauses)
        let base = ScriptedTransport { request, delegate in
            if let exchange = delegate as? CachingExchange { listener.begin(exchange) }
            delegate.exchangeDidReceive(HTTPResponse(status: 200, headerFields: [:], url: request.url))
            for _ in 0..<2 { _ = delegate.exchangeDidReceive(Data(count: 1)) }
        }
        let transport = CachingTransport(base: base, cache: HTTPCache())
        var request = HTTPRequest(url: try #require(URL(string: "http://host/x")))
        request.cachePolicy = .reloadIgnoringLocalCacheData
        _ = transport.start(request, settings: HTTPTransportSettings(), delegate: listener)
        #expect(base.exchange.resumeCount == 1)
    }
}
