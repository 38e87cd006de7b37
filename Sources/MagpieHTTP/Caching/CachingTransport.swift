import Foundation
import MagpieConcurrency

/// Answers from a cache what the cache may answer, and carries the rest by another transport.
///
/// Below a session each redirect passes through it, and each is stored by itself.
final class CachingTransport: HTTPTransport {
    let base: any HTTPTransport
    let cache: HTTPCache
    /// Whether an answer may be stored that HTTP and the cache itself allow to store.
    let willStore: HTTPCache.StorePolicy

    private struct State {
        var exchanges: [ObjectIdentifier: CachingExchange] = [:]
        var isShutDown = false
    }

    private let state = Lock(State())

    init(
        base: any HTTPTransport,
        cache: HTTPCache,
        willStore: @escaping HTTPCache.StorePolicy = { _, _ in true }
    ) {
        self.base = base
        self.cache = cache
        self.willStore = willStore
    }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        let isCacheable = request.method == .get || request.method == .head
        guard isCacheable, request.body == nil, !HTTPCacheRules.isConditional(request) else {
            return pass(request, settings: settings, delegate: delegate)
        }
        let exchange = CachingExchange(request: request, settings: settings, delegate: delegate, transport: self)
        if keep(exchange) { exchange.begin() } else { delegate.exchangeDidFinish(.failure(.cancelled)) }
        return exchange
    }

    /// Lets the server answer what the cache has no part in.
    private func pass(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        guard request.cachePolicy != .returnCacheDataDontLoad else {
            delegate.exchangeDidFinish(.failure(.notInCache))
            return NoExchange()
        }
        let safeMethods: [HTTPRequest.Method] = [.get, .head, .options, .trace]
        guard !safeMethods.contains(request.method) else {
            return base.start(request, settings: settings, delegate: delegate)
        }
        let relay = InvalidatingRelay(request: request, cache: cache, delegate: delegate)
        return base.start(request, settings: settings, delegate: relay)
    }

    func shutdown() {
        let exchanges = state.withLock { state in
            state.isShutDown = true
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.cancel() }
        base.shutdown()
    }

    /// Validates a stored answer with nobody waiting, unless that is being done already.
    func validateBehind(_ request: HTTPRequest, settings: HTTPTransportSettings, match: HTTPCache.Match) {
        guard cache.validations.leads(match.storageKey) else { return }
        var request = request
        request.method = .get
        let exchange = CachingExchange(request: request, settings: settings, delegate: nil, transport: self)
        if keep(exchange) {
            exchange.validate(match)
        } else {
            _ = cache.validations.end(match.storageKey)
        }
    }

    /// Lets go of an exchange that is over.
    func forget(_ exchange: CachingExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private func keep(_ exchange: CachingExchange) -> Bool {
        state.withLock { state in
            if !state.isShutDown { state.exchanges[ObjectIdentifier(exchange)] = exchange }
            return !state.isShutDown
        }
    }
}

/// Removes what is stored for the address of an unsafe request, once the server has done it.
private final class InvalidatingRelay: HTTPExchangeDelegate {
    private let request: HTTPRequest
    private let cache: HTTPCache
    private let delegate: any HTTPExchangeDelegate

    init(request: HTTPRequest, cache: HTTPCache, delegate: any HTTPExchangeDelegate) {
        self.request = request
        self.cache = cache
        self.delegate = delegate
    }

    func exchangeDidSend(bodyBytes total: Int64) { delegate.exchangeDidSend(bodyBytes: total) }

    func exchangeDidReceive(_ response: HTTPResponse) {
        cache.invalidate(after: response, to: request)
        delegate.exchangeDidReceive(response)
    }

    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow { delegate.exchangeDidReceive(chunk) }

    func exchangeDidReceive(trailers: HTTPFields) { delegate.exchangeDidReceive(trailers: trailers) }

    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) { delegate.exchangeDidFinish(result) }
}

/// Stands for an exchange that was over before it began.
private final class NoExchange: HTTPExchange {
    func cancel() {}
    func resume() {}
}
