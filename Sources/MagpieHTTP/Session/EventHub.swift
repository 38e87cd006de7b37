import MagpieConcurrency
import Synchronization

/// Passes what happens in a session on to its monitors and to those who read its events.
final class EventHub: Sendable {
    private typealias Listener = AsyncStream<HTTPTaskEvent>.Continuation

    private let monitors: [any HTTPEventMonitor]
    private let listeners = Lock<[UInt64: Listener]>([:])
    /// Read for each event, without the lock.
    private let listenerCount = Atomic(0)
    private let lastID = Atomic<UInt64>(0)

    init(monitors: [any HTTPEventMonitor]) { self.monitors = monitors }

    /// Passes an event on, which is not made where nobody wants it.
    func emit(_ event: @autoclosure () -> HTTPTaskEvent) {
        let isHeard = listenerCount.load(ordering: .relaxed) > 0
        guard isHeard || !monitors.isEmpty else { return }
        let event = event()
        for monitor in monitors { monitor.record(event) }
        guard isHeard else { return }
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
    }

    /// The events from now on.
    func stream() -> AsyncStream<HTTPTaskEvent> {
        let (stream, listener) = AsyncStream.makeStream(of: HTTPTaskEvent.self)
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        listener.onTermination = { [weak self] _ in self?.remove(id) }
        listeners.withLock { $0[id] = listener }
        listenerCount.add(1, ordering: .relaxed)
        return stream
    }

    /// Ends the streams: there will be no further events.
    func close() {
        let open = listeners.withLock { Array($0.values) }
        for listener in open { listener.finish() }
    }

    private func remove(_ id: UInt64) {
        guard listeners.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
        listenerCount.subtract(1, ordering: .relaxed)
    }
}

extension HTTPSession {
    /// What happens to the session's tasks from now on.
    ///
    /// Each call gives a stream of its own, for one reader; a session whose events nobody reads does not make any. Events
    /// wait unread without a limit, since a lost end of a task would leave its reader wrong for ever: read them, or let
    /// the stream go. It ends with the session.
    public var events: AsyncStream<HTTPTaskEvent> { hub.stream() }
}
