import Dispatch
import Foundation
import MagpieConcurrency

/// Tells the index, in batches and behind its user's back, which files were changed and used.
///
/// Any thread may call anything. Noting a change or a use takes a short lock; the index is written by a queue of its
/// own, some moments later, and by those who ask for what it says.
final class IndexKeeper: Sendable {
    fileprivate struct State {
        var limits: BlobLimits
        var journal: StoreJournal?
        /// The files that are being changed, and by how many threads.
        var changing: [BlobName: Int] = [:]
        /// The files that were changed and that the index has not been told of.
        var changed: Set<BlobName> = []
        /// When files were last used that the index has not been told of.
        var used: [BlobName: Int64] = [:]
        /// What the changes since the index was last written have added at most.
        var growth = 0
        var knownSize = 0
        var isScheduled = false
        /// Whether the index was not told of so many changes that the folder has to be looked through.
        var mustScan = false
    }

    /// How long a change waits for others to be written with.
    private static let delay = DispatchTimeInterval.milliseconds(250)
    /// How many changes are waited for before they are written at once.
    private static let batch = 512
    /// How many changes may wait before those who make them have to.
    fileprivate static let patience = 4096
    /// How long an index is believed that nobody compared with the folder: power cuts and other programs' removals go
    /// unheard of.
    private static let trust: Int64 = 7 * 86_400 * 1_000_000

    let folder: StoreFolder
    private let state: Lock<State>
    /// The folder whose left-behind journals were read; whoever has the index open has the lock.
    private let settledDirectory = Lock<StoreDirectory?>(nil)
    private let queue = DispatchQueue(label: "magpie.storage.index", qos: .utility)

    init(folder: StoreFolder, limits: BlobLimits) {
        self.folder = folder
        state = Lock(State(limits: limits))
    }

    var limits: BlobLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    /// How many uses the index has not been told of.
    var waitingUses: Int { state.withLock { $0.used.count } }

    // MARK: - Notes

    /// Notes that a file is about to be changed, before anything of it can be seen.
    ///
    /// - Returns: what marks the unfinished files of this process; nil when no journal can be kept.
    @discardableResult
    func willChange(_ name: BlobName, in directory: StoreDirectory) -> String? {
        state.withLock { state in
            if state.journal?.directory !== directory { state.journal = StoreJournal(in: directory) }
            state.journal?.add(name)
            state.changing[name, default: 0] += 1
            return state.journal?.identifier
        }
    }

    /// Notes that a file was changed, or was not after all.
    ///
    /// - Parameter growth: how much larger the store is now, at most.
    func didChange(_ name: BlobName, growth: Int) {
        let (waiting, isTooMuch) = state.withLock { state in
            if let count = state.changing[name], count > 1 {
                state.changing[name] = count - 1
            } else {
                state.changing[name] = nil
            }
            state.changed.insert(name)
            state.growth &+= growth
            return (state.changed.count, state.knownSize &+ state.growth > state.limits.maximumSize)
        }
        if waiting >= Self.patience {
            flush()
        } else {
            schedule(isUrgent: isTooMuch || waiting == Self.batch)
        }
    }

    /// Notes that a file was used.
    func didUse(_ name: BlobName, at time: Int64) {
        let isScheduled = state.withLock { state in
            state.used[name] = time
            return state.isScheduled
        }
        if !isScheduled { schedule(isUrgent: false) }
    }

    private func schedule(isUrgent: Bool) {
        if isUrgent { return queue.async { self.flush() } }
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        // The closure keeps this object until all is written.
        if isFirst { queue.asyncAfter(deadline: .now() + Self.delay) { self.flush() } }
    }

    // MARK: - The index

    /// Writes what was noted into the index, and trims the store when it has outgrown its limit.
    ///
    /// Blocks.
    func flush() {
        let isIdle = state.withLock { state in
            state.isScheduled = false
            return state.changed.isEmpty && state.used.isEmpty
        }
        if !isIdle { _ = withIndex { _ in } }
    }

    /// Gives `body` the index when it knows all that was noted; nil when there is none or it cannot be written.
    ///
    /// A damaged one is emptied and filled from the folder. Blocks.
    ///
    /// - Parameters:
    ///   - trims: whether a store that has outgrown its limit is trimmed before.
    ///   - body: gets the index, which no other thread or process has meanwhile.
    func withIndex<Result>(
        trims: Bool = true,
        _ body: (StoreIndex) throws(SQLiteConnection.Failure) -> Result
    ) -> Result? {
        settledDirectory.withLock { settled in
            guard let directory = folder.existing() else {
                // The folder is gone, and what was noted with it.
                state.withLock { $0.forget() }
                return nil
            }
            for _ in 0..<2 {
                guard let index = try? StoreIndex(of: directory, path: folder.path) else { break }
                do throws(SQLiteConnection.Failure) {
                    if settled !== directory { try settle(index) }
                    settled = directory
                    try scanIfNeeded(index)
                    try write(to: index)
                    if trims { try trim(index) }
                    return try body(index)
                } catch {
                    guard error.isDamage, (try? index.reset()) != nil else { break }
                }
            }
            state.withLock { $0.bound() }
            return nil
        }
    }

    /// Learns what processes left behind that ended before they told the index.
    private func settle(_ index: StoreIndex) throws(SQLiteConnection.Failure) {
        let directory = index.directory
        try StoreJournal.settleLeftBehind(in: directory) { (names, identifier) throws(SQLiteConnection.Failure) in
            try index.reconcile(names)
            directory.removeUnfinished { $0.hasPrefix(".\(identifier)-") }
        }
    }

    private func scanIfNeeded(_ index: StoreIndex) throws(SQLiteConnection.Failure) {
        let mustScan = state.withLock { $0.mustScan }
        let now = FileStatus.now
        if !mustScan, let last = try index.lastScan(), last <= now, now - last < Self.trust { return }
        if !index.isSound() { try index.reset() }
        try scan(index)
        state.withLock { $0.mustScan = false }
    }

    /// Compares the index with the folder.
    ///
    /// - Returns: how many entries the index had wrong.
    @discardableResult
    func scan(_ index: StoreIndex) throws(SQLiteConnection.Failure) -> Int {
        let files = index.directory.names().compactMap(BlobName.init(fileName:))
        let wrong = try index.reconcile(Array(Set(files).union(try index.names())))
        let now = FileStatus.now
        index.directory.removeUnfinished(olderThan: now - 3_600_000_000)
        try index.didScan(at: now)
        return wrong
    }

    private func write(to index: StoreIndex) throws(SQLiteConnection.Failure) {
        let (changed, used) = state.withLock { $0.takeNotes() }
        for (name, time) in used { index.directory.setAccessTime(of: name, to: time) }
        do throws(SQLiteConnection.Failure) {
            try index.reconcile(Array(changed.union(used.keys)))
        } catch {
            state.withLock { $0.putBack(changed) }
            throw error
        }
        state.withLock { state in
            state.journal?.keep(state.changed.union(state.changing.keys))
        }
    }

    /// Trims a store that has outgrown its limit.
    private func trim(_ index: StoreIndex) throws(SQLiteConnection.Failure) {
        let limits = limits
        var size = try index.totals().size
        if size > limits.maximumSize {
            let target = limits.lowWater
            _ = try index.trim(by: limits.expiry, until: limits.cutoff(at: FileStatus.now)) { $0 > target }
            size = try index.totals().size
        }
        state.withLock { $0.knownSize = size }
    }
}

extension IndexKeeper.State {
    fileprivate mutating func takeNotes() -> (changed: Set<BlobName>, used: [BlobName: Int64]) {
        defer {
            changed = []
            used = [:]
            growth = 0
        }
        return (changed, used)
    }

    /// Keeps changes for the next time.
    fileprivate mutating func putBack(_ names: Set<BlobName>) {
        changed.formUnion(names)
    }

    /// Forgets what has been waiting for too long for an index that cannot be written; where changes are forgotten, the
    /// folder is looked through later.
    fileprivate mutating func bound() {
        if used.count >= IndexKeeper.patience { used = [:] }
        guard changed.count >= IndexKeeper.patience else { return }
        changed = []
        mustScan = true
    }

    fileprivate mutating func forget() {
        _ = takeNotes()
        journal = nil
        knownSize = 0
    }
}
