import Foundation
import MagpieConcurrency
import MagpieHTTP

/// A server without a network: answers each request at once from a closure, and writes down what it was asked.
final class OriginTransport: HTTPTransport {
    /// Status, fields and body of an answer, or why there is none.
    typealias Answer = Result<(status: Int, fields: HTTPFields, body: String), HTTPError>

    private let asked = Lock<[HTTPRequest]>([])
    private let answer: Lock<@Sendable (HTTPRequest) -> Answer>

    init(_ answer: @escaping @Sendable (HTTPRequest) -> Answer) { self.answer = Lock(answer) }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func answer(_ new: @escaping @Sendable (HTTPRequest) -> Answer) { answer.withLock { $0 = new } }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        asked.withLock { $0.append(request) }
        switch answer.withLock({ $0 })(request) {
        case .success(let (status, fields, body)):
            let status = HTTPResponse.Status(code: status)
            delegate.exchangeDidReceive(HTTPResponse(status: status, headerFields: fields, url: request.url))
            if !body.isEmpty, request.method != .head { _ = delegate.exchangeDidReceive(Data(body.utf8)) }
            delegate.exchangeDidFinish(.success(HTTPTaskMetrics()))
        case .failure(let error): delegate.exchangeDidFinish(.failure(error))
        }
        return Exchange()
    }

    func shutdown() {}

    private final class Exchange: HTTPExchange {
        func cancel() {}
        func resume() {}
    }
}
