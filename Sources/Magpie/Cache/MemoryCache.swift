import MagpieConcurrency
import MagpieHTTP

/// The memory cache that comes with the library: least recently used images leave first, when the cost of all exceeds
/// a limit.
///
/// A hit takes one short lock and allocates nothing. Safe to use from any thread.
public final class MemoryCache: MemoryCaching {
    fileprivate struct Entry {
        var key: ImageCacheKey
        var image: WebImage?
        var cost: Int
        var newer = -1
        var older = -1
    }

    fileprivate struct State {
        var slots: [Entry] = []
        var freeSlots: [Int] = []
        var index: [ImageCacheKey: Int] = [:]
        var newest = -1
        var oldest = -1
        var totalCost = 0
        var costLimit: Int
        var countLimit: Int
    }

    private let state: Lock<State>

    /// A cache that holds images of at most `costLimit` together, and at most `countLimit` of them.
    public init(costLimit: ByteSize = .megabytes(256), countLimit: Int = .max) {
        state = Lock(State(costLimit: costLimit.bytes, countLimit: countLimit))
    }

    /// What the images may take together; lowering it drops images at once.
    public var costLimit: ByteSize {
        get { .bytes(state.withLock { $0.costLimit }) }
        set { changeLimits { $0.costLimit = newValue.bytes } }
    }

    /// How many images may be held; lowering it drops images at once.
    public var countLimit: Int {
        get { state.withLock { $0.countLimit } }
        set { changeLimits { $0.countLimit = newValue } }
    }

    /// The number of images held.
    public var count: Int {
        state.withLock { $0.index.count }
    }

    /// The memory that the images held take, in bytes.
    public var totalCost: Int {
        state.withLock { $0.totalCost }
    }

    /// The image under a key; finding it makes it the most recently used.
    public func image(for key: ImageCacheKey) -> WebImage? {
        state.withLock { state in
            guard let slot = state.index[key] else { return nil }
            state.touch(slot)
            return state.slots[slot].image
        }
    }

    /// Keeps an image under a key and drops what exceeds the limits; one that is larger than the limit is not kept.
    public func store(_ image: WebImage, for key: ImageCacheKey) {
        let cost = image.memoryCost
        // What leaves is released after the lock: freeing pixels takes time.
        let dropped = state.withLock { state -> [WebImage] in
            var dropped: [WebImage] = []
            if let slot = state.index[key] { dropped.append(contentsOf: state.release(slot)) }
            guard cost <= state.costLimit, state.countLimit > 0 else { return dropped }
            state.insert(image, for: key, cost: cost)
            dropped.append(contentsOf: state.evict())
            return dropped
        }
        _ = dropped
    }

    /// Forgets the image under a key.
    public func remove(for key: ImageCacheKey) {
        let dropped = state.withLock { state in state.index[key].map { state.release($0) } }
        _ = dropped
    }

    /// Forgets all images.
    public func removeAll() {
        let dropped = state.withLock { state in
            let slots = state.slots
            state = State(costLimit: state.costLimit, countLimit: state.countLimit)
            return slots
        }
        _ = dropped
    }

    private func changeLimits(_ change: (inout State) -> Void) {
        let dropped = state.withLock { state in
            change(&state)
            return state.evict()
        }
        _ = dropped
    }
}

extension MemoryCache.State {
    fileprivate mutating func insert(_ image: WebImage, for key: ImageCacheKey, cost: Int) {
        let slot: Int
        let entry = MemoryCache.Entry(key: key, image: image, cost: cost)
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = entry
        } else {
            slot = slots.count
            slots.append(entry)
        }
        index[key] = slot
        totalCost += cost
        pushNewest(slot)
    }

    fileprivate mutating func touch(_ slot: Int) {
        guard slot != newest else { return }
        unlink(slot)
        pushNewest(slot)
    }

    /// Drops the least recently used images until both limits hold.
    fileprivate mutating func evict() -> [WebImage] {
        var dropped: [WebImage] = []
        while oldest >= 0, totalCost > costLimit || index.count > countLimit {
            dropped.append(contentsOf: release(oldest))
        }
        return dropped
    }

    fileprivate mutating func release(_ slot: Int) -> [WebImage] {
        unlink(slot)
        index[slots[slot].key] = nil
        totalCost -= slots[slot].cost
        freeSlots.append(slot)
        let image = slots[slot].image
        slots[slot].image = nil
        return image.map { [$0] } ?? []
    }

    private mutating func pushNewest(_ slot: Int) {
        slots[slot].newer = -1
        slots[slot].older = newest
        if newest >= 0 { slots[newest].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if newer >= 0 { slots[newer].older = older } else { newest = older }
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
    }
}
