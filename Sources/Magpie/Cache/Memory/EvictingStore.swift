/// Values under keys, within limits; those that the policy chooses leave.
///
/// `value(for:hash:)` may be called by many threads at once; everything else by one thread while no other has the
/// store. Hashes are given by the caller, who computes them before it takes a lock. Values that leave are handed back,
/// to be released after the lock.
struct EvictingStore<Key: Hashable, Value>: ~Copyable {
    /// A value with its key.
    struct Entry {
        let hash: Int
        let key: Key
        var value: Value
    }

    /// What the entries may cost together.
    var costLimit: Int
    /// How many entries there may be.
    var countLimit: Int

    private var table = SlotTable()
    private var policy = EvictionPolicy()
    private var entries: UnsafeMutablePointer<Entry?> = .allocate(capacity: 0)
    private var capacity = 0
    /// Slots below it are or were in use.
    private var slotCount = 0
    private var freeSlots: [Int] = []

    init(costLimit: Int, countLimit: Int) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    deinit {
        entries.deinitialize(count: slotCount)
        entries.deallocate()
    }

    /// The number of entries.
    var count: Int { policy.count }

    /// The cost of all entries.
    var cost: Int { policy.cost }

    /// The number of keys that the policy remembers beside the entries.
    var evictedCount: Int { policy.evictedCount }

    /// The value under a key, and a use of it counted.
    @inline(__always)
    func value(for key: Key, hash: Int) -> Value? {
        guard let slot = slot(for: key, hash: hash) else { return nil }
        policy.recordUse(of: slot)
        return entries[slot]?.value
    }

    /// Puts a value under a key, in place of the one before, and makes room for it first.
    ///
    /// The cost must be within the limit. Returns what left, the value before among it.
    mutating func insert(_ value: Value, for key: Key, hash: Int, cost: Int) -> [Entry] {
        var isProven = false
        var left: [Entry] = []
        if let slot = slot(for: key, hash: hash) {
            isProven = policy.remove(slot)
            if let entry = release(slot) { left.append(entry) }
        } else {
            isProven = policy.recall(hash)
        }
        left += evict(toCost: costLimit - cost, count: countLimit - 1)
        let slot = freeSlots.popLast() ?? newSlot()
        entries[slot] = Entry(hash: hash, key: key, value: value)
        table.insert(slot, for: hash)
        policy.insert(slot, hash: hash, cost: cost, isProven: isProven)
        return left
    }

    /// Takes out the value under a key, if `isMeant` agrees.
    mutating func remove(_ key: Key, hash: Int, where isMeant: (Value) -> Bool = { _ in true }) -> Entry? {
        guard let slot = slot(for: key, hash: hash), let entry = entries[slot], isMeant(entry.value) else { return nil }
        policy.remove(slot)
        return release(slot)
    }

    /// Takes out all values that are meant.
    mutating func removeAll(where isMeant: (Value) -> Bool) -> [Entry] {
        var left: [Entry] = []
        for slot in 0..<slotCount {
            guard let entry = entries[slot], isMeant(entry.value) else { continue }
            policy.remove(slot)
            if let entry = release(slot) { left.append(entry) }
        }
        return left
    }

    /// Takes out what the policy chooses until the rest is within these bounds, and returns it.
    mutating func evict(toCost cost: Int, count: Int) -> [Entry] {
        var left: [Entry] = []
        while policy.cost > cost || policy.count > max(0, count), let slot = policy.evict() {
            if let entry = release(slot) { left.append(entry) }
        }
        return left
    }

    @inline(__always)
    private func slot(for key: Key, hash: Int) -> Int? {
        table.slot(for: hash) { entries[$0]?.hash == hash && entries[$0]?.key == key }
    }

    /// Empties a slot that the policy no longer has.
    private mutating func release(_ slot: Int) -> Entry? {
        guard let entry = entries[slot] else { return nil }
        table.remove(slot, for: entry.hash)
        entries[slot] = nil
        freeSlots.append(slot)
        return entry
    }

    private mutating func newSlot() -> Int {
        if slotCount == capacity {
            let larger = UnsafeMutablePointer<Entry?>.allocate(capacity: max(64, capacity * 2))
            larger.moveInitialize(from: entries, count: slotCount)
            entries.deallocate()
            entries = larger
            capacity = max(64, capacity * 2)
        }
        (entries + slotCount).initialize(to: nil)
        defer { slotCount += 1 }
        return slotCount
    }
}
