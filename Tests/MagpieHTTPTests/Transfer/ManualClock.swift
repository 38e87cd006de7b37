import MagpieConcurrency

/// A clock that stands still, wakes sleepers at once, and remembers for how long they wanted to sleep.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let state = Lock<(now: Instant, sleeps: [Duration])>((Instant(), []))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// The sleeps so far.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = deadline
        }
    }
}
