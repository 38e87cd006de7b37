import Foundation
import MagpieConcurrency

/// Tells when memory becomes short, so that caches can give theirs back in time.
///
/// Linux tells of it by pressure stall information, where the kernel wakes the monitor; else the use of the control
/// group's or the system's memory is read at intervals. The monitor works while somebody observes it, on one thread of
/// its own. Safe to use from any thread.
public final class MemoryPressureMonitor: Sendable {
    /// The monitor of this system.
    public static let shared = MemoryPressureMonitor()

    /// Keeps an observer; observing ends when it is cancelled or released.
    public final class Observation: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit {
            end()
        }

        /// Ends the observation; a report that is under way may still come.
        public func cancel() {
            end()
        }
    }

    private struct State {
        var level = MemoryPressureLevel.normal
        var observers: [Int: @Sendable (MemoryPressureLevel) -> Void] = [:]
        var nextObserver = 0
        var watch: MemoryPressureWatch?
    }

    private let files: MemoryPressureFiles
    private let interval: Duration
    private let triggers: @Sendable () -> [MemoryPressureTrigger]
    private let state = Lock(State())

    /// A monitor of these files.
    ///
    /// - Parameters:
    ///   - files: where the pressure is read.
    ///   - interval: how long it waits between two readings where the kernel does not tell.
    public convenience init(files: MemoryPressureFiles = .system, interval: Duration = .seconds(2)) {
        self.init(files: files, interval: interval) { files.pressureFiles.flatMap(MemoryPressureTrigger.open) }
    }

    init(
        files: MemoryPressureFiles,
        interval: Duration,
        triggers: @escaping @Sendable () -> [MemoryPressureTrigger]
    ) {
        self.files = files
        self.interval = interval
        self.triggers = triggers
    }

    /// Where the pressure is read from; nil when this system tells nothing, and the level stays normal.
    public var source: MemoryPressureFiles.Source? { files.read()?.source }

    /// The level now, read from the files.
    public var level: MemoryPressureLevel { files.read()?.level ?? .normal }

    /// Whether somebody observes it.
    var isObserved: Bool { state.withLock { !$0.observers.isEmpty } }

    /// The level whenever it changes, beginning with the one now.
    public var changes: AsyncStream<MemoryPressureLevel> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MemoryPressureLevel.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = add({ continuation.yield($0) }, tellsNow: true)
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    /// Calls `handler` whenever the level changes from normal or from another, on a thread of the monitor.
    public func observe(_ handler: @escaping @Sendable (MemoryPressureLevel) -> Void) -> Observation {
        let id = add(handler, tellsNow: false)
        return Observation { [weak self] in self?.remove(id) }
    }

    private func add(_ observer: @escaping @Sendable (MemoryPressureLevel) -> Void, tellsNow: Bool) -> Int {
        let (id, level) = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            return (state.nextObserver, state.level)
        }
        if tellsNow { observer(level) }
        state.withLock { state in
            guard state.watch == nil, !state.observers.isEmpty else { return }
            state.watch = MemoryPressureWatch(files: files, interval: interval, triggers: triggers) { [weak self] in
                self?.report($0)
            }
        }
        return id
    }

    private func remove(_ id: Int) {
        // Both are released after the lock: an observer may hold what cancels in turn.
        let released = state.withLock { state in
            let observer = state.observers.removeValue(forKey: id)
            guard state.observers.isEmpty else { return (observer, MemoryPressureWatch?.none) }
            defer {
                state.watch = nil
                state.level = .normal
            }
            return (observer, state.watch)
        }
        _ = released
    }

    private func report(_ level: MemoryPressureLevel) {
        let observers = state.withLock { state in
            guard level != state.level else { return [@Sendable (MemoryPressureLevel) -> Void]() }
            state.level = level
            return Array(state.observers.values)
        }
        observers.forEach { $0(level) }
    }
}
