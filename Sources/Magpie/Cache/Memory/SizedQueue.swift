/// A queue of cache entries that differ in size: the one that has used the most of the cache for the longest is first.
///
/// What an entry has used is its cost times the number of entries that were queued after it. Entries of about one size
/// (within a factor of two) stand in a line of their own, oldest first, so that the first of all is found among the
/// heads of at most 64 lines. Among entries of one size this is a plain queue, first in, first out.
struct SizedQueue {
    /// An entry's place in a queue.
    struct Node {
        /// The hash of the entry's key.
        var hash: Int
        /// What the entry costs, never negative.
        var cost: Int
        /// The number of the turn in which it was queued.
        var turn = 0
        /// Its neighbours in the line; -1 at the ends.
        var newer: Int32 = -1
        var older: Int32 = -1
        /// Whether it stands in the queue of those that have proven useful.
        var isProven = false
    }

    private struct Line {
        var newest: Int32 = -1
        var oldest: Int32 = -1
    }

    private var lines = [Line](repeating: Line(), count: Int.bitWidth)
    /// A bit for each line that is not empty.
    private var occupied: UInt64 = 0

    /// The cost of all entries in the queue.
    private(set) var cost = 0

    /// Whether there is no entry in the queue.
    var isEmpty: Bool { occupied == 0 }

    /// Appends the entry in `slot`, in this turn.
    mutating func append(_ slot: Int, turn: Int, in nodes: inout [Node]) {
        let number = Self.line(of: nodes[slot].cost)
        nodes[slot].turn = turn
        nodes[slot].newer = -1
        nodes[slot].older = lines[number].newest
        if lines[number].newest >= 0 {
            nodes[Int(lines[number].newest)].newer = Int32(slot)
        } else {
            lines[number].oldest = Int32(slot)
            occupied |= 1 << UInt64(number)
        }
        lines[number].newest = Int32(slot)
        cost += nodes[slot].cost
    }

    /// Takes out the entry in `slot`, which is in this queue.
    mutating func remove(_ slot: Int, in nodes: inout [Node]) {
        let node = nodes[slot]
        let number = Self.line(of: node.cost)
        if node.newer >= 0 { nodes[Int(node.newer)].older = node.older } else { lines[number].newest = node.older }
        if node.older >= 0 { nodes[Int(node.older)].newer = node.newer } else { lines[number].oldest = node.newer }
        if lines[number].newest < 0 { occupied &= ~(1 << UInt64(number)) }
        cost -= node.cost
    }

    /// The slot of the first entry.
    func first(turn: Int, in nodes: [Node]) -> Int? {
        var first: (slot: Int, use: Double)?
        var rest = occupied
        while rest != 0 {
            let slot = Int(lines[rest.trailingZeroBitCount].oldest)
            let use = Double(turn - nodes[slot].turn) * Double(max(1, nodes[slot].cost))
            if first.map({ use > $0.use }) ?? true { first = (slot, use) }
            rest &= rest - 1
        }
        return first?.slot
    }

    private static func line(of cost: Int) -> Int {
        Int.bitWidth - cost.leadingZeroBitCount
    }
}
