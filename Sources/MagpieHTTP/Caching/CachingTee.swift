import Foundation
import MagpieConcurrency

/// Stores the body of an answer while it passes by on its way to the caller, in the lane of its address.
///
/// The caller does not wait: a storage that falls too far behind loses the entry.
final class CachingTee: Sendable {
    private struct State {
        var waiting: [Data] = []
        var waitingCount = 0
        var count = 0
        var isScheduled = false
        var isOver = false
        var place: HTTPCache.Place?
    }

    private let cache: HTTPCache
    private let request: HTTPRequest
    private let key: HTTPCacheKey
    private let head: HTTPCacheEntry.Head
    private let mark: HTTPCacheInvalidations.Mark
    private let state = Lock(State())

    /// How much may wait for the storage, in bytes.
    private static let maximumWaiting = 8 << 20

    /// - Parameter mark: When the answer was asked for; where the address is invalidated later it is not stored.
    init(
        cache: HTTPCache,
        request: HTTPRequest,
        key: HTTPCacheKey,
        head: HTTPCacheEntry.Head,
        mark: HTTPCacheInvalidations.Mark
    ) {
        self.cache = cache
        self.request = request
        self.key = key
        self.head = head
        self.mark = mark
    }

    /// Adds a chunk; false where the answer will not be stored.
    func append(_ chunk: Data) -> Bool {
        let (isKept, schedules) = state.withLock { state in
            guard !state.isOver else { return (false, false) }
            state.count += chunk.count
            state.waitingCount += chunk.count
            guard state.count <= cache.maximumBodySize, state.waitingCount <= Self.maximumWaiting else {
                return (false, false)
            }
            state.waiting.append(chunk)
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        guard isKept else {
            cancel()
            return false
        }
        if schedules { cache.run(for: key) { self.write() } }
        return true
    }

    /// All has come: stores the answer, in the lane.
    func commit() {
        cache.run(for: key) {
            self.write()
            let place = self.state.withLock { state in
                defer { state.isOver = true }
                return state.isOver ? nil : state.place
            }
            if let place {
                let isOutdated = self.cache.invalidations.contains(self.key.address, since: self.mark)
                if isOutdated { place.writer.cancel() } else { self.cache.commit(self.head, to: place) }
            }
        }
    }

    /// Stores nothing.
    func cancel() {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
            state.waitingCount = 0
        }
        cache.run(for: key) { self.state.withLock { $0.place }?.writer.cancel() }
    }

    /// Writes what waits; in the lane, so that one thread at a time does.
    private func write() {
        let (chunks, known, isOver) = state.withLock { state in
            defer {
                state.waiting = []
                state.waitingCount = 0
                state.isScheduled = false
            }
            return (state.waiting, state.place, state.isOver)
        }
        guard !isOver else { return }
        guard let place = known ?? cache.place(for: head, of: request, key) else {
            state.withLock { $0.isOver = true }
            return
        }
        state.withLock { $0.place = place }
        for chunk in chunks { place.writer.append(chunk) }
    }
}
