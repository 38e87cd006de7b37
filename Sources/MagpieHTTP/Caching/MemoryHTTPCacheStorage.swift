import Foundation
import MagpieConcurrency

/// Keeps entries in memory, up to a number of bytes; what was not used for longest goes first.
public final class MemoryHTTPCacheStorage: HTTPCacheStorage {
    /// How many bytes the entries may have together.
    public let capacity: Int

    private let state = Lock(State())

    /// Makes an empty storage.
    ///
    /// - Parameter capacity: How many bytes the entries may have together, heads included.
    public init(capacity: Int = 20 << 20) { self.capacity = max(0, capacity) }

    /// The longest body that has a place: a quarter of the capacity.
    public var maximumBodySize: Int { capacity / 4 }

    /// How many entries there are, and their size.
    public var usage: HTTPCacheUsage {
        state.withLock { HTTPCacheUsage(count: $0.slots.count, bytes: $0.bytes) }
    }

    /// What is stored for the key; it counts as used now.
    public func entry(for key: String) -> HTTPCacheEntry? { state.withLock { $0.use(key) } }

    /// Begins to store an entry; when it is complete, others are dropped where the capacity is exceeded.
    public func makeWriter(for key: String) -> (any HTTPCacheWriter)? { Writer(storage: self, key: key) }

    private func store(_ entry: HTTPCacheEntry, for key: String) {
        let dropped = state.withLock { state in
            var dropped = [state.remove(key)]
            guard entry.body.count <= maximumBodySize else { return dropped }
            state.insert(entry, for: key)
            while state.bytes > capacity, let oldest = state.oldestKey { dropped.append(state.remove(oldest)) }
            return dropped
        }
        // The bodies are let go outside the lock.
        _ = dropped
    }

    /// Replaces a head.
    public func replaceHead(_ old: HTTPCacheEntry.Head, with new: HTTPCacheEntry.Head, for key: String) {
        state.withLock { state in
            guard state.slots[key]?.entry.head == old, var entry = state.remove(key) else { return }
            entry.head = new
            state.insert(entry, for: key)
        }
    }

    /// Removes an entry.
    public func removeEntry(for key: String) { _ = state.withLock { $0.remove(key) } }

    /// Removes all entries.
    public func removeAll() {
        _ = state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

extension MemoryHTTPCacheStorage {
    /// Collects a body.
    private final class Writer: HTTPCacheWriter {
        private let storage: MemoryHTTPCacheStorage
        private let key: String
        private let body = Lock(Data())

        init(storage: MemoryHTTPCacheStorage, key: String) {
            self.storage = storage
            self.key = key
        }

        func append(_ chunk: Data) { body.withLock { $0.append(chunk) } }

        func commit(_ head: HTTPCacheEntry.Head) {
            storage.store(HTTPCacheEntry(head: head, body: HTTPCacheBody(body.withLock { $0 })), for: key)
        }

        func cancel() { body.withLock { $0 = Data() } }
    }

    /// The entries in a list by their last use, from `oldestKey` to `newestKey`.
    private struct State {
        struct Slot {
            var entry: HTTPCacheEntry
            var size: Int
            var older: String?
            var newer: String?
        }

        var slots: [String: Slot] = [:]
        var bytes = 0
        var oldestKey: String?
        var newestKey: String?

        mutating func use(_ key: String) -> HTTPCacheEntry? {
            guard let slot = slots[key] else { return nil }
            if newestKey != key {
                unlink(slot)
                append(key)
            }
            return slot.entry
        }

        mutating func insert(_ entry: HTTPCacheEntry, for key: String) {
            let size = entry.body.count + key.utf8.count + Self.size(of: entry.head)
            slots[key] = Slot(entry: entry, size: size)
            bytes += size
            append(key)
        }

        mutating func remove(_ key: String) -> HTTPCacheEntry? {
            guard let slot = slots.removeValue(forKey: key) else { return nil }
            bytes -= slot.size
            unlink(slot)
            return slot.entry
        }

        private mutating func append(_ key: String) {
            slots[key]?.older = newestKey
            slots[key]?.newer = nil
            if let newestKey { slots[newestKey]?.newer = key } else { oldestKey = key }
            newestKey = key
        }

        private mutating func unlink(_ slot: Slot) {
            if let older = slot.older { slots[older]?.newer = slot.newer } else { oldestKey = slot.newer }
            if let newer = slot.newer { slots[newer]?.older = slot.older } else { newestKey = slot.older }
        }

        /// About what a head takes: its texts, and what holds them.
        private static func size(of head: HTTPCacheEntry.Head) -> Int {
            head.response.headerFields.reduce(256) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
        }
    }
}
