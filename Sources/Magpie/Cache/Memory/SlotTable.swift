/// Finds the slots of keys by their hashes: a hash table of eight bytes a place, searched without writing anything.
///
/// Many threads may search at once; changes are made by one thread while no other has the table. It knows hashes only:
/// the caller says whether a slot is the one that is meant.
struct SlotTable: ~Copyable {
    /// A place in the table: the lower half of the hash, and the slot; a free place has the slot -1.
    private struct Place {
        var tag: UInt32 = 0
        var slot: Int32 = -1
    }

    private var places: UnsafeMutableBufferPointer<Place>
    private var count = 0
    private var mask: Int { places.count - 1 }

    /// All slots in the table, in no order.
    var slots: [Int] { places.filter { $0.slot >= 0 }.map { Int($0.slot) } }

    init() {
        places = .allocate(capacity: 64)
        places.initialize(repeating: Place())
    }

    deinit {
        places.deallocate()
    }

    /// The slot under a hash that `isMeant` agrees to.
    @inline(__always)
    func slot(for hash: Int, where isMeant: (Int) -> Bool) -> Int? {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = Int(tag) & mask
        while places[index].slot >= 0 {
            let place = places[index]
            if place.tag == tag, isMeant(Int(place.slot)) { return Int(place.slot) }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds a slot.
    mutating func insert(_ slot: Int, for hash: Int) {
        // Half full at most: a search ends after a step or two.
        if (count + 1) * 2 > places.count { grow() }
        count += 1
        place(Place(tag: UInt32(truncatingIfNeeded: hash), slot: Int32(slot)))
    }

    /// Takes a slot out, and moves those behind it forward so that no search ends too soon.
    mutating func remove(_ slot: Int, for hash: Int) {
        var hole = Int(UInt32(truncatingIfNeeded: hash)) & mask
        while places[hole].slot != slot {
            guard places[hole].slot >= 0 else { return }
            hole = (hole + 1) & mask
        }
        count -= 1
        var next = (hole + 1) & mask
        while places[next].slot >= 0 {
            let home = Int(places[next].tag) & mask
            // Moves unless its own place lies behind the hole.
            if (next - home) & mask >= (next - hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = Place()
    }

    private mutating func grow() {
        let old = places
        places = .allocate(capacity: old.count * 2)
        places.initialize(repeating: Place())
        for occupied in old where occupied.slot >= 0 { place(occupied) }
        old.deallocate()
    }

    private func place(_ new: Place) {
        var index = Int(new.tag) & mask
        while places[index].slot >= 0 { index = (index + 1) & mask }
        places[index] = new
    }
}
