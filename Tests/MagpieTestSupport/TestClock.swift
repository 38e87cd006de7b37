import MagpieConcurrency

/// A clock that stands still until the test moves it.
package final class TestClock: Clock {
    /// A time on the clock.
    package struct Instant: InstantProtocol {
        fileprivate var time: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        package func duration(to other: Instant) -> Duration { other.time - time }
        package static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private let time = Lock(Duration.zero)
    private let record = Recorder<Duration>()

    package init() {}

    package var now: Instant { Instant(time: time.withLock { $0 }) }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Moves the clock forward.
    package func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    /// How long each sleep so far was to last.
    package var sleeps: [Duration] { record.elements }

    /// Moves the clock to the end of the sleep.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        record.record(now.duration(to: deadline))
        time.withLock { $0 = max($0, deadline.time) }
    }
}
