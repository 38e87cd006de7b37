/// A binary heap of numbers, each with a key that can be changed; the number with the smallest key is on top.
///
/// Where each number stands is written into a table of the caller's, which heaps that never hold the same number may share.
struct PlacedHeap {
    /// The place of each number in its heap.
    typealias Places = [Int?]

    private var entries: [(key: Int64, number: Int)] = []

    /// The number with the smallest key.
    var top: Int? { entries.first?.number }

    /// All numbers, in no order.
    var numbers: [Int] { entries.map(\.number) }

    /// Adds the number, or changes its key.
    mutating func set(_ number: Int, key: Int64, in places: inout Places) {
        while places.count <= number { places.append(nil) }
        if let place = places[number] {
            guard entries[place].key != key else { return }
            entries[place].key = key
            settle(place, &places)
        } else {
            places[number] = entries.count
            entries.append((key, number))
            rise(entries.count - 1, &places)
        }
    }

    /// Takes the number out, if it is there.
    mutating func remove(_ number: Int, in places: inout Places) {
        guard places.indices.contains(number), let place = places[number] else { return }
        let last = entries.count - 1
        if place != last { exchange(place, last, &places) }
        entries.removeLast()
        places[number] = nil
        if place != last { settle(place, &places) }
    }

    private mutating func settle(_ place: Int, _ places: inout Places) {
        rise(place, &places)
        sink(place, &places)
    }

    private mutating func rise(_ start: Int, _ places: inout Places) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place].key < entries[parent].key else { return }
            exchange(place, parent, &places)
            place = parent
        }
    }

    private mutating func sink(_ start: Int, _ places: inout Places) {
        var place = start
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].key < entries[smallest].key { smallest = child }
            }
            guard smallest != place else { return }
            exchange(place, smallest, &places)
            place = smallest
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int, _ places: inout Places) {
        entries.swapAt(left, right)
        places[entries[left].number] = left
        places[entries[right].number] = right
    }
}
