import MagpieHTTP

/// Writes entries to a disk cache behind the caller's back, and finds those that are not there yet.
///
/// Each key is written by one thread at a time, so that the last bytes stored are those that stay.
final class StagedWriter: Sendable {
    private struct Staged {
        var data: CachedData
        var version: UInt64
    }

    private struct State {
        var staged: [String: Staged] = [:]
        /// The keys whose bytes a worker is writing, or will.
        var writing: Set<String> = []
        var nextVersion: UInt64 = 0
        var flushes: [CheckedContinuation<Void, Never>] = []
    }

    private let disk: any DiskCaching
    private let workers: WorkerPool
    private let state = Lock(State())

    init(disk: any DiskCaching, workers: WorkerPool) {
        self.disk = disk
        self.workers = workers
    }

    /// The bytes under a key that are not on disk yet.
    func data(for key: String) -> CachedData? {
        state.withLock { $0.staged[key]?.data }
    }

    func store(_ data: CachedData) {
        let key = data.key
        let isFirst = state.withLock { state in
            state.staged[key] = Staged(data: data, version: state.nextVersion)
            state.nextVersion += 1
            return state.writing.insert(key).inserted
        }
        if isFirst {
            workers.run(priority: .low) { self.write(key) }
        }
    }

    func discard(_ key: String) {
        let discarded = state.withLock { $0.staged.removeValue(forKey: key) }
        _ = discarded
    }

    func discardAll() {
        let discarded = state.withLock { state in
            defer { state.staged = [:] }
            return state.staged
        }
        _ = discarded
    }

    /// Waits until nothing is staged.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard !state.writing.isEmpty else { return true }
                state.flushes.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Writes what is staged under a key until what was written is what is staged.
    private func write(_ key: String) {
        var written: UInt64?
        while let next = next(key, after: written) {
            disk.store(next.data)
            written = next.version
        }
    }

    /// The bytes to write next; nil ends the writing of the key.
    private func next(_ key: String, after written: UInt64?) -> Staged? {
        if written != nil, isDiscarded(key) {
            // Removed while it was being written: the file must not outlive that.
            disk.remove(key)
        }
        let (next, flushes): (Staged?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
            if let staged = state.staged[key], staged.version != written { return (staged, []) }
            state.staged[key] = nil
            state.writing.remove(key)
            guard state.writing.isEmpty else { return (nil, []) }
            defer { state.flushes = [] }
            return (nil, state.flushes)
        }
        flushes.forEach { $0.resume() }
        return next
    }

    private func isDiscarded(_ key: String) -> Bool {
        state.withLock { $0.staged[key] == nil }
    }
}
