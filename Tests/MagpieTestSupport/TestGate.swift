import Foundation
import MagpieConcurrency
import MagpieHTTP

/// A gate that is shut until it is opened, and then stays open: forces an order between threads and tasks.
public final class TestGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let semaphore = DispatchSemaphore(value: 0)

    /// Makes a gate that is shut.
    public init() {}

    /// Whether the gate is open.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate for all who wait and all who come later.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        semaphore.signal()
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// For tasks.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until the gate is open and blocks the thread.
    ///
    /// For servers' and transports' threads.
    ///
    /// - Returns: False where the gate was not opened within `seconds`.
    @discardableResult
    public func block(seconds: Double = 20) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        // Pass it on to the next who waits.
        semaphore.signal()
        return true
    }
}

/// Waits until `condition` holds, looking every few milliseconds; false where it does not within `seconds`.
public func eventually(within seconds: Double = 60, _ condition: @Sendable () async throws -> Bool) async rethrows
    -> Bool
{
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return try await condition()
}
