import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// A transport that carries nothing: the test sees each exchange and says when and what comes back.
final class StubTransport: HTTPTransport {
    /// One request, and the way to answer it.
    final class Exchange: HTTPExchange {
        let request: HTTPRequest
        private let delegate: any HTTPExchangeDelegate
        private let state = Lock(
            (isCancelled: false, isFinished: false, watchers: [CheckedContinuation<Void, Never>]())
        )

        fileprivate init(_ request: HTTPRequest, _ delegate: any HTTPExchangeDelegate) {
            self.request = request
            self.delegate = delegate
        }

        var isCancelled: Bool { state.withLock { $0.isCancelled } }

        func cancel() {
            let watchers = state.withLock { state in
                state.isCancelled = true
                defer { state.watchers = [] }
                return state.watchers
            }
            watchers.forEach { $0.resume() }
            finish(.failure(.cancelled))
        }

        func resume() {}

        /// Waits until the session has cancelled the exchange.
        func waitUntilCancelled() async {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.watchers.append(continuation) }
                    return state.isCancelled
                }
                if isCancelled { continuation.resume() }
            }
        }

        /// Sends the head.
        func respond(status: Int = 200, headerFields: HTTPFields = [:]) {
            delegate.exchangeDidReceive(
                HTTPResponse(status: .init(code: status), headerFields: headerFields, url: request.url)
            )
        }

        /// Sends a part of the body.
        func send(_ chunk: Data) {
            _ = delegate.exchangeDidReceive(chunk)
        }

        func finish(_ result: Result<HTTPTaskMetrics, HTTPError> = .success(HTTPTaskMetrics())) {
            let isFirst = state.withLock { state in
                defer { state.isFinished = true }
                return !state.isFinished
            }
            if isFirst { delegate.exchangeDidFinish(result) }
        }

        /// Sends a whole answer.
        func answer(_ body: Data, status: Int = 200, headerFields: HTTPFields = [.contentType: "image/png"]) {
            var headerFields = headerFields
            headerFields[.contentLength] = "\(body.count)"
            respond(status: status, headerFields: headerFields)
            if !body.isEmpty { send(body) }
            finish()
        }
    }

    private let begun = Recorder<Exchange>()
    private let answers: (@Sendable (Exchange) -> Void)?

    /// - Parameter answers: answers each exchange by itself, on another thread; nil leaves that to the test.
    init(answering answers: (@Sendable (Exchange) -> Void)? = nil) {
        self.answers = answers
    }

    /// The exchanges begun so far, in order.
    var exchanges: [Exchange] { begun.elements }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        let exchange = Exchange(request, delegate)
        begun.record(exchange)
        if let answers { DispatchQueue.global().async { answers(exchange) } }
        return exchange
    }

    func shutdown() {}

    /// Waits until that many exchanges have begun, and returns the last of them.
    func exchange(_ number: Int) async -> Exchange {
        await begun.elements(number)[number - 1]
    }
}
