/// A queue with a first-in-first-out lane for each priority: the highest priority leaves first, and every operation,
/// removal and change of priority from the middle included, takes constant time.
///
/// Elements live in one array of slots linked by index; a handle stays valid until its element leaves, and a handle
/// that outlived its element is recognised by its generation and ignored. Not thread-safe: its owner locks.
package struct PriorityBuckets<Element> {
    /// Names an element in the queue.
    package struct Handle: Equatable, Sendable {
        fileprivate let slot: Int
        fileprivate let generation: UInt32
    }

    private struct Slot {
        var element: Element?
        var generation: UInt32 = 0
        var lane = 0
        var previous = -1
        var next = -1
    }

    private struct Lane {
        var first = -1
        var last = -1
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lanes = [Lane](repeating: Lane(), count: HTTPPriority.allCases.count)

    /// A queue without elements.
    package init() {}

    /// The number of elements that wait.
    package private(set) var count = 0

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// Adds an element behind all others of its priority.
    package mutating func append(_ element: Element, priority: HTTPPriority) -> Handle {
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].element = element
        link(index, lane: lane(of: priority))
        count += 1
        return Handle(slot: index, generation: slots[index].generation)
    }

    /// Takes an element out of the queue; nil when it has left already.
    @discardableResult
    package mutating func remove(_ handle: Handle) -> Element? {
        guard isLive(handle) else { return nil }
        return release(handle.slot)
    }

    /// Puts an element behind all others of another priority; does nothing when it has left or has that priority.
    package mutating func move(_ handle: Handle, to priority: HTTPPriority) {
        let target = lane(of: priority)
        guard isLive(handle), slots[handle.slot].lane != target else { return }
        unlink(handle.slot)
        link(handle.slot, lane: target)
    }

    /// Takes out the oldest element of the highest priority.
    package mutating func popFirst() -> Element? {
        for lane in lanes.indices.reversed() where lanes[lane].first >= 0 {
            return release(lanes[lane].first)
        }
        return nil
    }

    private func lane(of priority: HTTPPriority) -> Int {
        HTTPPriority.allCases.firstIndex(of: priority) ?? 0
    }

    private func isLive(_ handle: Handle) -> Bool {
        slots.indices.contains(handle.slot) && slots[handle.slot].generation == handle.generation
            && slots[handle.slot].element != nil
    }

    private mutating func release(_ index: Int) -> Element? {
        unlink(index)
        let element = slots[index].element
        slots[index].element = nil
        slots[index].generation &+= 1
        freeSlots.append(index)
        count -= 1
        return element
    }

    private mutating func link(_ index: Int, lane: Int) {
        let last = lanes[lane].last
        slots[index].lane = lane
        slots[index].previous = last
        slots[index].next = -1
        if last >= 0 { slots[last].next = index } else { lanes[lane].first = index }
        lanes[lane].last = index
    }

    private mutating func unlink(_ index: Int) {
        let slot = slots[index]
        if slot.previous >= 0 { slots[slot.previous].next = slot.next } else { lanes[slot.lane].first = slot.next }
        if slot.next >= 0 { slots[slot.next].previous = slot.previous } else { lanes[slot.lane].last = slot.previous }
    }
}
