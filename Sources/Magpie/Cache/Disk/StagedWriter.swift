import MagpieConcurrency
import MagpieHTTP

/// Writes entries to a disk cache behind the caller's back, and finds those that are not there yet.
///
/// Each key is written by one thread at a time, so that the last bytes stored are those that stay.
final class StagedWriter: Sendable {
    fileprivate struct Staged {
        var data: CachedData
        var version: UInt64
    }

    /// Somebody who waits for certain versions of certain keys.
    fileprivate struct Flush {
        var missing: [String: UInt64]
        let continuation: CheckedContinuation<Void, Never>
    }

    fileprivate struct State {
        var staged: [String: Staged] = [:]
        /// The keys whose bytes a worker is writing, or will.
        var writing: Set<String> = []
        var nextVersion: UInt64 = 0
        var flushes: [Flush] = []
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

    /// Waits until what is staged now is written, or was discarded; what is stored later is not waited for.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                // A key that is being written after it was discarded has no version; its worker is waited for as well.
                let missing = state.writing.map { ($0, state.staged[$0]?.version ?? 0) }
                guard !missing.isEmpty else { return true }
                let versions = Dictionary(missing, uniquingKeysWith: { first, _ in first })
                state.flushes.append(Flush(missing: versions, continuation: continuation))
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
        let (next, flushed): (Staged?, [Flush]) = state.withLock { state in
            let staged = state.staged[key].flatMap { $0.version == written ? nil : $0 }
            if staged == nil {
                state.staged[key] = nil
                state.writing.remove(key)
            }
            return (staged, state.settle(key, written: staged == nil ? .max : written))
        }
        flushed.forEach { $0.continuation.resume() }
        return next
    }

    private func isDiscarded(_ key: String) -> Bool {
        state.withLock { $0.staged[key] == nil }
    }
}

extension StagedWriter.State {
    /// Tells those who wait for a key what was written of it, and takes out those who wait for nothing more.
    fileprivate mutating func settle(_ key: String, written: UInt64?) -> [StagedWriter.Flush] {
        guard let written, !flushes.isEmpty else { return [] }
        for index in flushes.indices {
            if let version = flushes[index].missing[key], version <= written { flushes[index].missing[key] = nil }
        }
        let done = flushes.filter(\.missing.isEmpty)
        flushes.removeAll(where: \.missing.isEmpty)
        return done
    }
}
