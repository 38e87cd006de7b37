import MagpieConcurrency

/// Whether a host, an address or the network at large can be reached, by what the kernel knows of its interfaces and routes.
///
/// Nothing is sent to find out: reachable means that there is a way to go, not that somebody answers. Each monitor has a
/// thread of its own between `startMonitoring()` and `stopMonitoring()`. All of it may be used from any thread.
public final class NetworkReachability: Sendable {
    /// What is between this machine and what it wants to reach.
    public enum Connection: String, Sendable, Hashable {
        /// A cable, or what a virtual machine or a container takes for one.
        case wired
        /// A wireless local network.
        case wireless
        /// A mobile network.
        case cellular
        /// Anything else: a tunnel, this machine itself.
        case other
    }

    /// What is known.
    public enum Status: Sendable, Hashable {
        /// Nothing yet: the monitor was not started, or has only just been.
        case unknown
        /// There is no way.
        case notReachable
        /// There is a way, and it begins with this connection.
        case reachable(Connection)
    }

    private struct State {
        var status = Status.unknown
        var monitor: ReachabilityMonitor?
        var handler: (@Sendable (Status) -> Void)?
        var listeners: [Int: AsyncStream<Status>.Continuation] = [:]
        var nextListener = 0
    }

    /// The monitor of the network at large: of the default route.
    ///
    /// It starts with the first `changes` or `startMonitoring()`.
    public static let shared = NetworkReachability()

    private let target: ReachabilityTarget
    private let prepareThread: (@Sendable () -> Void)?
    private let state = Lock(State())

    /// Makes a monitor of the network at large: of the default route.
    public convenience init() { self.init(target: .network) }

    /// Makes a monitor of the way to a host, whose name is looked up anew with each change of the network.
    public convenience init(host: String) { self.init(target: .host(host)) }

    /// Makes a monitor of the way to a numeric address, such as `192.0.2.1` or `2001:db8::1`; nothing where it is none.
    public convenience init?(address: String) {
        guard let address = NetworkAddress(address) else { return nil }
        self.init(target: .address(address))
    }

    /// - Parameter prepareThread: Is called on the monitor's thread before it asks the kernel for anything.
    package init(target: ReachabilityTarget, prepareThread: (@Sendable () -> Void)? = nil) {
        self.target = target
        self.prepareThread = prepareThread
    }

    deinit {
        let state = state.withLock { $0 }
        state.monitor?.stop()
        for listener in state.listeners.values { listener.finish() }
    }

    /// What is known at the moment.
    public var status: Status { state.withLock { $0.status } }

    /// Whether there is a way.
    public var isReachable: Bool {
        if case .reachable = status { true } else { false }
    }

    /// Starts to watch; the state of things is told soon, and each change after that.
    ///
    /// Where it watches already, it begins anew.
    ///
    /// - Parameter handler: Is called with each new status, on the monitor's thread; it replaces an earlier one.
    public func startMonitoring(_ handler: (@Sendable (Status) -> Void)? = nil) {
        stopMonitoring()
        state.withLock { $0.handler = handler }
        start()
    }

    /// Stops to watch; the last status stays, and the sequences of `changes` go on after the next start.
    public func stopMonitoring() {
        let monitor = state.withLock { state in
            defer { state.monitor = nil }
            return state.monitor
        }
        monitor?.stop()
    }

    /// The status now, once it is known, and each one after it; asking for it starts the monitor.
    ///
    /// Each caller gets a sequence of its own, which ends with the monitor's object. A reader that is slow misses what was
    /// over before it looked, and never the latest.
    public var changes: AsyncStream<Status> {
        let (stream, continuation) = AsyncStream.makeStream(of: Status.self, bufferingPolicy: .bufferingNewest(1))
        let mustStart = state.withLock { state in
            let number = state.nextListener
            state.nextListener += 1
            state.listeners[number] = continuation
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
            if state.status != .unknown { continuation.yield(state.status) }
            return state.monitor == nil
        }
        if mustStart { start() }
        return stream
    }

    private func start() {
        let monitor = ReachabilityMonitor(target: target, prepareThread: prepareThread)
        let isFirst = state.withLock { state in
            guard state.monitor == nil else { return false }
            state.monitor = monitor
            return true
        }
        guard isFirst else { return }
        monitor.start { [weak self, weak monitor] status in self?.update(status, from: monitor) }
    }

    private func forget(_ listener: Int) {
        let removed = state.withLock { $0.listeners.removeValue(forKey: listener) }
        _ = removed
    }

    /// Notes what a monitor found, unless another has taken its place, and tells it where it is news.
    private func update(_ status: Status, from monitor: ReachabilityMonitor?) {
        let receivers = state.withLock {
            state -> ((@Sendable (Status) -> Void)?, [AsyncStream<Status>.Continuation])? in
            guard let monitor, state.monitor === monitor else { return nil }
            defer { state.status = status }
            return (state.handler, state.status == status ? [] : Array(state.listeners.values))
        }
        guard let (handler, listeners) = receivers else { return }
        handler?(status)
        for listener in listeners { listener.yield(status) }
    }
}

extension NetworkReachability.Status: CustomStringConvertible {
    /// In words, as in `reachable (wired)`.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .notReachable: "not reachable"
        case .reachable(let connection): "reachable (\(connection.rawValue))"
        }
    }
}
