/// A binary heap of host numbers, each with a key that can be changed; the host with the smallest key is on top.
struct HostHeap {
    private var entries: [(key: Int64, host: Int)] = []
    /// Where each host stands in `entries`, by its number.
    private var places: [Int?] = []

    /// The host with the smallest key.
    var top: Int? { entries.first?.host }

    /// Adds the host, or changes its key.
    mutating func set(_ host: Int, key: Int64) {
        while places.count <= host { places.append(nil) }
        if let place = places[host] {
            guard entries[place].key != key else { return }
            entries[place].key = key
            settle(place)
        } else {
            places[host] = entries.count
            entries.append((key, host))
            rise(entries.count - 1)
        }
    }

    /// Takes the host out, if it is there.
    mutating func remove(_ host: Int) {
        guard places.indices.contains(host), let place = places[host] else { return }
        let last = entries.count - 1
        if place != last { exchange(place, last) }
        entries.removeLast()
        places[host] = nil
        if place != last { settle(place) }
    }

    private mutating func settle(_ place: Int) {
        rise(place)
        sink(place)
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place].key < entries[parent].key else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].key < entries[smallest].key { smallest = child }
            }
            guard smallest != place else { return }
            exchange(place, smallest)
            place = smallest
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        entries.swapAt(left, right)
        places[entries[left].host] = left
        places[entries[right].host] = right
    }
}
