import MagpieConcurrency

/// A clock that stands still until a test moves it.
final class SteppedClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: Sleeper] = [:]
        var waits: [Duration] = []
        var lastID = 0
    }

    private let state = Lock(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// How long each sleep was to last, in the order of their coming.
    var waits: [Duration] { state.withLock { $0.waits } }

    /// How many sleep.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    state.waits.append(state.now.duration(to: deadline))
                    if Task.isCancelled || deadline <= state.now { return true }
                    state.sleepers[id] = Sleeper(end: deadline, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock, and wakes whose time has come.
    func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let awake = state.sleepers.filter { $0.value.end <= now }
            for id in awake.keys { state.sleepers[id] = nil }
            return awake.values.map(\.continuation)
        }
        for continuation in awake { continuation.resume() }
    }
}
