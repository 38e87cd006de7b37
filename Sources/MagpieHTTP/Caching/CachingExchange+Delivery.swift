import Foundation
import MagpieConcurrency

extension CachingExchange {
    /// Answers with what is stored; in the key's lane.
    func serve(_ entry: HTTPCacheEntry, as use: HTTPTaskMetrics.CacheUse, metrics: HTTPTaskMetrics = .init()) {
        switch use {
        case .none: break
        case .hit: cache.count(\.hits)
        case .stale: cache.count(\.staleHits)
        case .revalidated: cache.count(\.revalidations)
        }
        var metrics = metrics
        metrics.cache = use
        metrics.version = entry.head.response.version
        var response = entry.head.response
        response.url = request.url
        response.headerFields[.age] = String(Int(entry.head.freshness.age(at: cache.now())))
        deliver(response, body: request.method == .head ? HTTPCacheBody() : entry.body, metrics: metrics)
    }

    func deliver(_ response: HTTPResponse, body: HTTPCacheBody, metrics: HTTPTaskMetrics) {
        let isWanted = state.withLock { state in
            if !state.isCancelled { state.delivery = CachedDelivery(body: body, metrics: metrics) }
            return !state.isCancelled
        }
        guard isWanted else { return finish(.failure(.cancelled)) }
        guard let delegate else { return finish(.success(metrics)) }
        delegate.exchangeDidReceive(response)
        deliver()
    }

    /// Hands over what is left of the body, until the delegate wants a pause; in the key's lane.
    func deliver() {
        while true {
            let (isCancelled, read, metrics) = state.withLock { state in
                (state.isCancelled, state.delivery?.next(), state.delivery?.metrics)
            }
            guard !isCancelled, let metrics else { return finish(.failure(.cancelled)) }
            guard let read else { return finish(.success(metrics)) }
            switch read() {
            case .failure(let error): return finish(.failure(error))
            case .success(let chunk):
                guard delegate?.exchangeDidReceive(chunk) == .pause else { continue }
                // A pause that was asked for together with the end of the exchange holds nothing back.
                if state.withLock({ $0.delivery?.pause() == true && !$0.isCancelled }) { return }
            }
        }
    }
}
