/// What a memory cache holds, its limits, and the images that it may find again.
struct MemoryCacheContents: ~Copyable {
    typealias Entry = EvictingStore<ImageCacheKey, HeldImage>.Entry

    /// The images; finding one is all that may be done by many threads at once.
    var store: EvictingStore<ImageCacheKey, HeldImage>
    /// The images that left; nil when they are not to be found again.
    var weakImages: WeakImages?
    /// What one image may cost; nil for half of the whole limit.
    var entryCostLimit: Int?
    /// How long an image is held.
    var timeToLive: Duration?

    private(set) var evictions = 0
    private(set) var expirations = 0
    private(set) var weakHits = 0

    init(costLimit: Int, countLimit: Int) {
        store = EvictingStore(costLimit: costLimit, countLimit: countLimit)
    }

    /// Keeps an image if it is within the limits; returns what leaves.
    mutating func insert(_ held: HeldImage, for key: ImageCacheKey, hash: Int) -> [Entry] {
        let cost = held.image.memoryCost
        guard cost <= min(store.costLimit, entryCostLimit ?? store.costLimit.half), store.countLimit > 0 else {
            weakImages?.insert(held, for: key)
            return store.remove(key, hash: hash).map { [$0] } ?? []
        }
        weakImages?.remove(key)
        return retire(store.insert(held, for: key, hash: hash, cost: cost), replacing: key)
    }

    /// Drops images until the rest is within these bounds, and returns them.
    mutating func evict(toCost cost: Int = .max, count: Int = .max) -> [Entry] {
        retire(store.evict(toCost: min(cost, store.costLimit), count: min(count, store.countLimit)))
    }

    /// Finds an image that left and is still in use, and keeps it again.
    mutating func revive(_ key: ImageCacheKey, hash: Int, now: Duration) -> (image: WebImage?, left: [Entry]) {
        guard let held = weakImages?.image(for: key) else { return (nil, []) }
        if let timeToLive, held.isExpired(at: now, timeToLive: timeToLive) {
            weakImages?.remove(key)
            return (nil, [])
        }
        weakHits += 1
        return (held.image, insert(held, for: key, hash: hash))
    }

    /// Drops an image whose time is over, unless it was stored anew meanwhile.
    mutating func expire(_ key: ImageCacheKey, hash: Int, storedAt: Duration) -> Entry? {
        let entry = store.remove(key, hash: hash) { $0.storedAt == storedAt }
        if entry != nil { expirations += 1 }
        return entry
    }

    /// Drops all images whose time is over, and returns them.
    mutating func removeExpired(now: Duration) -> [Entry] {
        guard let timeToLive else { return [] }
        let left = store.removeAll { $0.isExpired(at: now, timeToLive: timeToLive) }
        expirations += left.count
        return left
    }

    /// Drops the image under a key, wherever it is.
    mutating func remove(_ key: ImageCacheKey, hash: Int) -> Entry? {
        weakImages?.remove(key)
        return store.remove(key, hash: hash)
    }

    /// Drops all images, and returns them.
    mutating func removeAll() -> [Entry] {
        if weakImages != nil { weakImages = WeakImages() }
        return store.removeAll { _ in true }
    }

    /// Counts what was evicted, and remembers those images that somebody else still has.
    private mutating func retire(_ left: consuming [Entry], replacing key: ImageCacheKey? = nil) -> [Entry] {
        for index in left.indices where left[index].key != key {
            evictions += 1
            if weakImages != nil, !isKnownUniquelyReferenced(&left[index].value.image) {
                weakImages?.insert(left[index].value, for: left[index].key)
            }
        }
        return left
    }
}

extension Int {
    /// Half of a limit; no limit stays none.
    fileprivate var half: Int { self == .max ? .max : self / 2 }
}
