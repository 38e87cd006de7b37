import MagpieConcurrency
import MagpieHTTP

/// Collects what happens on other threads, and waits for a number of things to have happened.
package final class Recorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    package init() {}

    package var elements: [Element] { state.withLock { $0.elements } }

    package func record(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return ready
        }
        ready.forEach { $0.continuation.resume() }
    }

    /// The elements, once there are that many.
    package func elements(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.elements.count >= count
                if !isThere { state.waiters.append((count, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
        return elements
    }
}
