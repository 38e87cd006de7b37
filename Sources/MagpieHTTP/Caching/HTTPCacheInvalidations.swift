import MagpieConcurrency

/// Which addresses were invalidated when, so that an answer that was asked for before is not stored afterwards.
final class HTTPCacheInvalidations: Sendable {
    /// A point in the order of invalidations.
    typealias Mark = UInt64

    private struct State {
        var last: Mark = 0
        var lastOfAll: Mark = 0
        var lastOfAddress: [String: Mark] = [:]
    }

    private let state = Lock(State())

    /// How many addresses are remembered; then all count as invalidated, which costs only what is on its way.
    private static let maximumCount = 4096

    /// The present.
    var mark: Mark { state.withLock { $0.last } }

    /// Notes that what is known of an address no longer holds.
    func add(_ address: String) {
        state.withLock { state in
            state.last += 1
            if state.lastOfAddress.count >= Self.maximumCount {
                state.lastOfAddress = [:]
                state.lastOfAll = state.last
            }
            state.lastOfAddress[address] = state.last
        }
    }

    /// Notes that nothing that is known holds any longer.
    func addAll() {
        state.withLock { state in
            state.last += 1
            state.lastOfAll = state.last
            state.lastOfAddress = [:]
        }
    }

    /// Whether the address has been invalidated since.
    func contains(_ address: String, since mark: Mark) -> Bool {
        state.withLock { max($0.lastOfAll, $0.lastOfAddress[address] ?? 0) > mark }
    }
}
