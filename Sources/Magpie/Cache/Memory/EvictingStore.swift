/// Values under keys, within limits; those that the policy chooses leave.
///
/// `value(for:hash:)` may be called by many threads at once; everything else by one thread while no other has the
/// store. Hashes are given by the caller, who computes them before it takes a lock. Values that leave are handed back,
/// to be released after the lock.
package struct EvictingStore<Key: Hashable, Value>: ~Copyable {
    /// A value with its key.
    package struct Entry {
        let hash: Int
        package let key: Key
        package var value: Value
    }

    /// What the entries may cost together.
    package var costLimit: Int
    /// How many entries there may be.
    package var countLimit: Int

    private var table = SlotTable()
    private var policy = EvictionPolicy()
    /// Initialized in the slots that the table has, and reached in place: a copy of a key would be counted by all threads
    /// that search.
    private var entries: UnsafeMutablePointer<Entry> = .allocate(capacity: 0)
    private var capacity = 0
    /// Slots below it are or were in use.
    private var slotCount = 0
    private var freeSlots: [Int] = []

    package init(costLimit: Int, countLimit: Int) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    deinit {
        for slot in table.slots { (entries + slot).deinitialize(count: 1) }
        entries.deallocate()
    }

    /// The number of entries.
    package var count: Int { policy.count }

    /// The cost of all entries.
    package var cost: Int { policy.cost }

    /// The number of keys that the policy remembers beside the entries.
    package var evictedCount: Int { policy.evictedCount }

    /// The value under a key, and a use of it counted.
    @inline(__always)
    package func value(for key: Key, hash: Int) -> Value? {
        guard let slot = slot(for: key, hash: hash) else { return nil }
        policy.recordUse(of: slot)
        return entries[slot].value
    }

    /// Puts a value under a key, in place of the one before, and makes room for it first.
    ///
    /// The cost must be within the limit. Returns what left, the value before among it.
    package mutating func insert(_ value: Value, for key: Key, hash: Int, cost: Int) -> [Entry] {
        var isProven = false
        var left: [Entry] = []
        if let slot = slot(for: key, hash: hash) {
            isProven = policy.remove(slot)
            left.append(release(slot))
        } else {
            isProven = policy.recall(hash)
        }
        left += evict(toCost: costLimit - cost, count: countLimit - 1)
        let slot = freeSlots.popLast() ?? newSlot()
        (entries + slot).initialize(to: Entry(hash: hash, key: key, value: value))
        table.insert(slot, for: hash)
        policy.insert(slot, hash: hash, cost: cost, isProven: isProven)
        return left
    }

    /// Takes out the value under a key, if `isMeant` agrees.
    package mutating func remove(_ key: Key, hash: Int, where isMeant: (Value) -> Bool = { _ in true }) -> Entry? {
        guard let slot = slot(for: key, hash: hash), isMeant(entries[slot].value) else { return nil }
        policy.remove(slot)
        return release(slot)
    }

    /// Takes out all values that are meant.
    package mutating func removeAll(where isMeant: (Value) -> Bool) -> [Entry] {
        table.slots.filter { isMeant(entries[$0].value) }.map { slot in
            policy.remove(slot)
            return release(slot)
        }
    }

    /// Takes out what the policy chooses until the rest is within these bounds, and returns it.
    package mutating func evict(toCost cost: Int, count: Int) -> [Entry] {
        var left: [Entry] = []
        while policy.cost > cost || policy.count > max(0, count), let slot = policy.evict() {
            left.append(release(slot))
        }
        return left
    }

    @inline(__always)
    private func slot(for key: Key, hash: Int) -> Int? {
        table.slot(for: hash) { entries[$0].key == key }
    }

    /// Empties a slot that the policy no longer has.
    private mutating func release(_ slot: Int) -> Entry {
        let entry = (entries + slot).move()
        table.remove(slot, for: entry.hash)
        freeSlots.append(slot)
        return entry
    }

    private mutating func newSlot() -> Int {
        if slotCount == capacity {
            // No slot is free: all of them are initialized.
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: max(64, capacity * 2))
            larger.moveInitialize(from: entries, count: slotCount)
            entries.deallocate()
            entries = larger
            capacity = max(64, capacity * 2)
        }
        defer { slotCount += 1 }
        return slotCount
    }
}
