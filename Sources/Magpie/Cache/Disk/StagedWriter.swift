import Dispatch
import MagpieConcurrency
import MagpieHTTP

/// Writes entries to a disk cache behind the caller's back, and finds those that are not there yet.
///
/// Each key is written by one thread at a time, so that the last bytes stored are those that stay.
final class StagedWriter: Sendable {
    fileprivate struct Staged {
        var data: CachedData
        var version: UInt64
        /// Told whether these bytes were written.
        var report: @Sendable (Bool) -> Void
    }

    /// Somebody who waits for certain versions of certain keys.
    fileprivate struct Flush {
        var missing: [String: UInt64]
        let end: @Sendable () -> Void
    }

    fileprivate struct State {
        var staged: [String: Staged] = [:]
        /// The keys whose bytes a thread is writing, or will.
        var writing: Set<String> = []
        /// Those of them that a thread is writing now.
        var active: Set<String> = []
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
        if stage(data) {
            workers.run(priority: .low) { self.write(data.key) }
        }
    }

    /// Writes bytes after those that are being written under their key.
    ///
    /// - Returns: whether they were written; false when others took their place before.
    func storeAndWait(_ data: CachedData) -> Bool {
        let end = DispatchSemaphore(value: 0)
        let isWritten = Lock<Bool?>(nil)
        _ = stage(data) { wasWritten in
            // Once written, they may still be replaced.
            isWritten.withLock { $0 = $0 ?? wasWritten }
            end.signal()
        }
        // On this thread, unless another is at it: the workers may all be waiting, too.
        write(data.key)
        end.wait()
        return isWritten.withLock { $0 } ?? false
    }

    /// - Returns: whether somebody has to write the key.
    private func stage(_ data: CachedData, report: @escaping @Sendable (Bool) -> Void = { _ in }) -> Bool {
        let (isFirst, replaced) = state.withLock { state in
            let staged = Staged(data: data, version: state.nextVersion, report: report)
            state.nextVersion += 1
            let replaced = state.staged.updateValue(staged, forKey: data.key)
            return (state.writing.insert(data.key).inserted, replaced)
        }
        replaced?.report(false)
        return isFirst
    }

    func discard(_ key: String) {
        let discarded = state.withLock { $0.staged.removeValue(forKey: key) }
        discarded?.report(false)
    }

    func discardAll() {
        let discarded = state.withLock { state in
            defer { state.staged = [:] }
            return state.staged
        }
        discarded.values.forEach { $0.report(false) }
    }

    /// Waits until what is staged now is written, or was discarded; what is stored later is not waited for.
    func flush() async {
        await withCheckedContinuation { continuation in
            _ = beginFlush { continuation.resume() }
        }
    }

    /// Writes what is staged now, on this thread and those that are at it.
    func flushAndWait() {
        let end = DispatchSemaphore(value: 0)
        beginFlush { end.signal() }.forEach(write)
        end.wait()
    }

    /// - Returns: the keys that are waited for.
    private func beginFlush(_ end: @escaping @Sendable () -> Void) -> [String] {
        let keys = state.withLock { state in
            // A key that is being written after it was discarded has no version; its thread is waited for as well.
            let missing = state.writing.map { ($0, state.staged[$0]?.version ?? 0) }
            guard !missing.isEmpty else { return [String]() }
            let versions = Dictionary(missing, uniquingKeysWith: { first, _ in first })
            state.flushes.append(Flush(missing: versions, end: end))
            return Array(versions.keys)
        }
        if keys.isEmpty { end() }
        return keys
    }

    /// Writes what is staged under a key until what was written is what is staged; does nothing when another thread does.
    private func write(_ key: String) {
        let isFree = state.withLock { $0.writing.contains(key) && $0.active.insert(key).inserted }
        guard isFree else { return }
        var written: UInt64?
        while let next = next(key, after: written) {
            next.report(disk.store(next.data))
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
                state.active.remove(key)
            }
            return (staged, state.settle(key, written: staged == nil ? .max : written))
        }
        flushed.forEach { $0.end() }
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
