import Synchronization

/// How often each entry of a cache was used, up to a few times.
///
/// `record` may be called by many threads at once; everything else by one thread while no other has the counts.
struct UseCounts: ~Copyable {
    /// The highest count: more uses say no more.
    static let most: UInt8 = 3

    private var counts: UnsafeMutableBufferPointer<Atomic<UInt8>> = .allocate(capacity: 0)

    deinit {
        counts.deallocate()
    }

    /// Counts a use of the entry in `slot`.
    ///
    /// An entry in frequent use is at its highest count, and is then only read: threads that use it at once do not
    /// disturb each other. Of two uses in the same instant one may be lost.
    func record(_ slot: Int) {
        let count = counts[slot].load(ordering: .relaxed)
        if count < Self.most { counts[slot].store(count + 1, ordering: .relaxed) }
    }

    /// The uses counted for the entry in `slot`.
    subscript(slot: Int) -> UInt8 {
        get { counts[slot].load(ordering: .relaxed) }
        nonmutating set { counts[slot].store(newValue, ordering: .relaxed) }
    }

    /// Makes room for the counts of slots below `capacity`.
    mutating func reserve(_ capacity: Int) {
        guard capacity > counts.count else { return }
        let larger = UnsafeMutableBufferPointer<Atomic<UInt8>>.allocate(capacity: max(64, capacity * 2))
        for slot in larger.indices {
            let count = slot < counts.count ? self[slot] : 0
            larger.initializeElement(at: slot, to: Atomic(count))
        }
        counts.deallocate()
        counts = larger
    }
}
