/// Chooses which entries leave a full cache.
///
/// S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023) for entries that differ in size,
/// with a probation that adapts. A new entry is on probation in a small queue; used twice there, it proves useful and
/// moves to the large queue, where each use grants another round. The keys of those that left on probation are
/// remembered, and one that comes back counts as proven. Three things differ from the paper:
/// - Both queues are `SizedQueue`s: an entry of twice the cost has half the time to show that it is used.
/// - The uses asked for are in proportion to an entry's cost: two for one of the mean cost.
/// - The share of the probation follows what is seen: it grows by an entry when a key comes back so soon that a larger
///   probation would still have had its entry, and shrinks by one when a key comes back later.
///
/// Entries are known by slots: small numbers that the cache gives out. Every operation takes constant time, amortised,
/// and fewer keys are remembered than there are entries. `recordUse` may be called by many threads at once;
/// everything else by one thread while no other has the policy.
struct EvictionPolicy: ~Copyable {
    /// The share of the cost that is on probation: the paper's tenth at least, and never the greater part.
    private static let probationShares = 0.1...0.4
    /// How many uses prove an entry of the mean cost useful.
    private static let proof = 2.0
    /// A key comes back soon if no more have left since it did than this many times the entries on probation.
    private static let soon = 1.5

    private var nodes: [SizedQueue.Node] = []
    private var uses = UseCounts()
    private var probation = SizedQueue()
    private var proven = SizedQueue()
    private var evicted = EvictedKeys()
    private var turn = 0
    private var probationShare = Self.probationShares.lowerBound

    /// The number of entries.
    private(set) var count = 0

    /// The cost of all entries.
    var cost: Int { probation.cost + proven.cost }

    /// The number of keys that are remembered beside the entries.
    var evictedCount: Int { evicted.count }

    /// What an entry costs.
    func cost(of slot: Int) -> Int { nodes[slot].cost }

    /// Counts a use of an entry.
    func recordUse(of slot: Int) {
        uses.record(slot)
    }

    /// Whether a key that comes into the cache was there not long ago; to be asked before room is made for its entry.
    mutating func recall(_ hash: Int) -> Bool {
        guard let leavings = evicted.remove(hash) else { return false }
        let entry = 1 / Double(max(1, count))
        let isSoon = Double(leavings) * entry <= Self.soon * probationShare
        let share = probationShare + (isSoon ? entry : -entry)
        probationShare = min(max(share, Self.probationShares.lowerBound), Self.probationShares.upperBound)
        return true
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - slot: its number, which no other entry has.
    ///   - hash: the hash of its key.
    ///   - cost: what it costs; at least 0.
    ///   - isProven: whether its key was recalled, or it stands in for an entry that was proven.
    mutating func insert(_ slot: Int, hash: Int, cost: Int, isProven: Bool) {
        let node = SizedQueue.Node(hash: hash, cost: cost, isProven: isProven)
        if slot < nodes.count {
            nodes[slot] = node
        } else {
            nodes.append(node)
            uses.reserve(nodes.count)
        }
        uses[slot] = 0
        count += 1
        enqueue(slot)
    }

    /// Takes an entry out; returns whether it was proven.
    @discardableResult
    mutating func remove(_ slot: Int) -> Bool {
        dequeue(slot)
        count -= 1
        evicted.trim(below: count)
        return nodes[slot].isProven
    }

    /// Chooses the entry that leaves, takes it out, and returns its slot; nil when there is none.
    mutating func evict() -> Int? {
        while true {
            let isProbationFull = Double(probation.cost) >= probationShare * Double(cost)
            if !probation.isEmpty, isProbationFull || proven.isEmpty {
                guard let slot = probation.first(turn: turn, in: nodes) else { return nil }
                guard hasProven(slot) else {
                    remove(slot)
                    evicted.append(nodes[slot].hash)
                    evicted.trim(below: count)
                    return slot
                }
                dequeue(slot)
                uses[slot] = 0
                nodes[slot].isProven = true
                enqueue(slot)
            } else {
                guard let slot = proven.first(turn: turn, in: nodes) else { return nil }
                guard uses[slot] > 0 else {
                    remove(slot)
                    return slot
                }
                dequeue(slot)
                uses[slot] -= 1
                enqueue(slot)
            }
        }
    }

    private func hasProven(_ slot: Int) -> Bool {
        let meanCost = Double(cost) / Double(count)
        return uses[slot] > 0 && Double(uses[slot]) * meanCost >= Self.proof * Double(nodes[slot].cost)
    }

    private mutating func enqueue(_ slot: Int) {
        turn += 1
        if nodes[slot].isProven {
            proven.append(slot, turn: turn, in: &nodes)
        } else {
            probation.append(slot, turn: turn, in: &nodes)
        }
    }

    private mutating func dequeue(_ slot: Int) {
        if nodes[slot].isProven {
            proven.remove(slot, in: &nodes)
        } else {
            probation.remove(slot, in: &nodes)
        }
    }
}
