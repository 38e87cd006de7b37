import CCurl
import CLinux
import Foundation
import MagpieConcurrency

/// The orders for an event loop, which any thread may post; the loop is woken only where it sleeps.
final class CurlInbox: Sendable {
    /// What the loop can be told.
    enum Order {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case resume(CurlExchange)
        case bodyIsReady(CurlExchange)
    }

    private struct State {
        var orders: [Order] = []
        var isLoopAwake = true
        var isClosed = false
    }

    /// Readable when the loop has been woken.
    ///
    /// Owned by this object.
    let descriptor: CInt

    private let state = Lock(State())

    /// Opens the inbox, or throws where the process has no descriptor left.
    init() throws(HTTPError) {
        let descriptor = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw CurlReport.noEventLoop(errno) }
        self.descriptor = descriptor
    }

    deinit { Foundation.close(descriptor) }

    /// Posts an order; false where the inbox was closed before, and the order is then dropped.
    func post(_ order: Order) -> Bool {
        let (isOpen, mustWake) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.orders.append(order)
            defer { state.isLoopAwake = true }
            return (true, !state.isLoopAwake)
        }
        if mustWake { wake() }
        return isOpen
    }

    /// Closes the inbox: the loop carries out what was posted, ends what runs, and ends.
    func close() {
        let mustWake = state.withLock { state -> Bool in
            state.isClosed = true
            defer { state.isLoopAwake = true }
            return !state.isLoopAwake
        }
        if mustWake { wake() }
    }

    /// Moves the posted orders into `orders`, which is emptied first; false where the inbox is closed.
    func take(into orders: inout [Order]) -> Bool {
        orders.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&state.orders, &orders)
            return !state.isClosed
        }
    }

    /// Says that the loop is about to sleep; false where it must not, since there is something to do.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            guard state.orders.isEmpty, !state.isClosed else { return false }
            state.isLoopAwake = false
            return true
        }
    }

    /// Says that the loop is awake, so that nobody needs to wake it.
    func didWake() { state.withLock { $0.isLoopAwake = true } }

    /// Takes the wake-up out of the descriptor.
    func acknowledge() {
        var count: UInt64 = 0
        _ = eventfd_read(descriptor, &count)
    }

    private func wake() { _ = eventfd_write(descriptor, 1) }
}
