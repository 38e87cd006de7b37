/// What a memory cache usually is: a dictionary and a linked list in the order of use. The measure that ours is held to.
struct ListLRU<Key: Hashable, Value> {
    private struct Entry {
        var key: Key
        var value: Value?
        var cost: Int
        var newer = -1
        var older = -1
    }

    private let costLimit: Int
    private var entries: [Entry] = []
    private var freeSlots: [Int] = []
    private var slots: [Key: Int] = [:]
    private var newest = -1
    private var oldest = -1
    private var cost = 0

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    mutating func value(for key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        if slot != newest {
            unlink(slot)
            push(slot)
        }
        return entries[slot].value
    }

    mutating func insert(_ value: Value, for key: Key, cost newCost: Int) {
        guard newCost <= costLimit else { return }
        if let slot = slots[key] { release(slot) }
        while cost > costLimit - newCost, oldest >= 0 { release(oldest) }
        let entry = Entry(key: key, value: value, cost: newCost)
        let slot = freeSlots.popLast() ?? entries.count
        if slot < entries.count { entries[slot] = entry } else { entries.append(entry) }
        slots[key] = slot
        cost += newCost
        push(slot)
    }

    private mutating func release(_ slot: Int) {
        unlink(slot)
        slots[entries[slot].key] = nil
        cost -= entries[slot].cost
        entries[slot].value = nil
        freeSlots.append(slot)
    }

    private mutating func push(_ slot: Int) {
        entries[slot].newer = -1
        entries[slot].older = newest
        if newest >= 0 { entries[newest].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (entries[slot].newer, entries[slot].older)
        if newer >= 0 { entries[newer].older = older } else { newest = older }
        if older >= 0 { entries[older].newer = newer } else { oldest = newer }
    }
}
