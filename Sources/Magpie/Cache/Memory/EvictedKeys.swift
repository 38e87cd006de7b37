/// A memory of the keys that left a cache of late, by their hashes.
struct EvictedKeys {
    /// Hashes in the order of leaving; those before `start` are forgotten.
    private var hashes: [Int] = []
    private var start = 0
    /// How many hashes were dropped from the front of `hashes`.
    private var dropped = 0
    /// The number of each leaving, by hash.
    private var numbers: [Int: Int] = [:]

    /// The number of leavings remembered.
    var count: Int { hashes.count - start }

    /// Remembers a key that leaves.
    mutating func append(_ hash: Int) {
        numbers[hash] = dropped + hashes.count
        hashes.append(hash)
    }

    /// Forgets the oldest until fewer than `limit` leavings are remembered, or none.
    mutating func trim(below limit: Int) {
        while count >= limit, count > 0 {
            if numbers[hashes[start]] == dropped + start { numbers[hashes[start]] = nil }
            start += 1
        }
        guard start > 64, start * 2 > hashes.count else { return }
        hashes.removeFirst(start)
        dropped += start
        start = 0
    }

    /// Forgets a key and returns how many have left since it did; nil when it is not remembered.
    mutating func remove(_ hash: Int) -> Int? {
        numbers.removeValue(forKey: hash).map { dropped + hashes.count - $0 }
    }
}
