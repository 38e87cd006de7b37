import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport

/// A transport without a network whose exchanges go on by themselves, each on one of a few threads, with answers drawn by
/// lot: good ones, redirects, refusals, failures.
final class DriftingTransport: HTTPTransport {
    /// One exchange; it keeps to the rules of pausing.
    fileprivate final class Exchange: HTTPExchange {
        private struct State {
            var isCancelled = false
            var isPaused = false
            /// Told to go on while the delegate still had the chunk.
            var isResumed = false
            var step = 0
        }

        let request: HTTPRequest
        private let delegate: any HTTPExchangeDelegate
        private let outcome: Int
        private let wake: @Sendable (Exchange) -> Void
        private let state = Lock(State())

        init(
            _ request: HTTPRequest,
            _ delegate: any HTTPExchangeDelegate,
            outcome: Int,
            wake: @escaping @Sendable (Exchange) -> Void
        ) {
            self.request = request
            self.delegate = delegate
            self.outcome = outcome
            self.wake = wake
        }

        func cancel() {
            let wasPaused = state.withLock { state in
                defer { (state.isCancelled, state.isPaused) = (true, false) }
                return state.isPaused
            }
            if wasPaused { wake(self) }
        }

        func resume() {
            let wasPaused = state.withLock { state in
                defer { (state.isPaused, state.isResumed) = (false, true) }
                return state.isPaused
            }
            if wasPaused { wake(self) }
        }

        /// Takes one step; true where another is to follow without being woken.
        func advance() -> Bool? {
            let (step, isCancelled) = state.withLock { state in
                defer { state.step += 1 }
                return (state.step, state.isCancelled)
            }
            if isCancelled {
                delegate.exchangeDidFinish(.failure(.cancelled))
                return nil
            }
            switch step {
            case 0:
                if outcome == 0 {
                    delegate.exchangeDidFinish(.failure(.connectionLost(reason: "drifted away")))
                    return nil
                }
                let code = [1: 302, 2: 503, 3: 404][outcome] ?? 200
                let fields: HTTPFields = code == 302 ? [.location: "http://other/"] : [:]
                delegate.exchangeDidReceive(
                    HTTPResponse(status: .init(code: code), headerFields: fields, url: request.url)
                )
                return true
            case 1...3:
                state.withLock { $0.isResumed = false }
                guard delegate.exchangeDidReceive(Data(count: 30_000)) == .pause else { return true }
                return state.withLock { state in
                    state.isPaused = !state.isCancelled && !state.isResumed
                    return !state.isPaused
                }
            default:
                delegate.exchangeDidFinish(.success(HTTPTaskMetrics()))
                return nil
            }
        }
    }

    private struct State {
        var ready: [Exchange] = []
        var open = 0
        var started = 0
        var isShutDown = false
        var random: SeededGenerator
    }

    private let state: Lock<State>
    private let condition = NSCondition()

    init(seed: UInt64, threads: Int) {
        state = Lock(State(random: SeededGenerator(seed: seed)))
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                while let exchange = next() {
                    switch exchange.advance() {
                    case true?: wake(exchange)
                    case false?: break
                    case nil: state.withLock { $0.open -= 1 }
                    }
                }
            }
        }
    }

    var openCount: Int { state.withLock { $0.open } }
    var startedCount: Int { state.withLock { $0.started } }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        let outcome = state.withLock { state in
            state.open += 1
            state.started += 1
            return Int.random(in: 0..<8, using: &state.random)
        }
        let exchange = Exchange(request, delegate, outcome: outcome) { [weak self] in self?.wake($0) }
        wake(exchange)
        return exchange
    }

    func shutdown() {
        state.withLock { $0.isShutDown = true }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    private func wake(_ exchange: Exchange) {
        state.withLock { $0.ready.append(exchange) }
        condition.lock()
        condition.signal()
        condition.unlock()
    }

    private func next() -> Exchange? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            let (exchange, isShutDown) = state.withLock { state -> (Exchange?, Bool) in
                guard !state.ready.isEmpty else { return (nil, state.isShutDown) }
                let place = Int.random(in: state.ready.indices, using: &state.random)
                state.ready.swapAt(place, state.ready.count - 1)
                return (state.ready.removeLast(), false)
            }
            if let exchange { return exchange }
            if isShutDown { return nil }
            condition.wait()
        }
    }
}
