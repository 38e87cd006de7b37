import Dispatch

/// Holds threads back until the test opens it, for ever after.
final class Gate: Sendable {
    private let group = DispatchGroup()

    init() {
        group.enter()
    }

    func open() {
        group.leave()
    }

    /// Blocks the thread; for work on threads that may block.
    func pass() {
        group.wait()
    }
}
