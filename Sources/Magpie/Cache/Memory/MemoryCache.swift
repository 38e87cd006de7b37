import MagpieConcurrency

/// The memory cache that comes with the library: holds the images that are likeliest to be asked for again.
///
/// When the limits are reached, images leave by how often they were used for the memory that they take, not only by
/// when (`EvictionPolicy` says how). An image that left and is still shown somewhere is found again.
///
/// A hit allocates nothing, and threads that find images at once do not wait for each other. Safe to use from any
/// thread.
public final class MemoryCache: MemoryCaching {
    /// What a reader counts beside the contents.
    private struct Tally {
        var hits = 0
        var misses = 0
    }

    private let contents: ReadersLock<MemoryCacheContents, Tally>
    private let now: @Sendable () -> Duration
    private let observation = Lock<MemoryPressureMonitor.Observation?>(nil)

    /// A cache with these limits, each of which can be changed later.
    ///
    /// - Parameters:
    ///   - costLimit: what the images may take together.
    ///   - countLimit: how many images may be held.
    ///   - entryCostLimit: what one image may take; nil for half of `costLimit`.
    ///   - timeToLive: how long an image is held; nil for as long as there is room.
    ///   - findsImagesInUse: whether an image that left and is still in use elsewhere is found again.
    ///   - clock: measures the time that images are held.
    public init<C: Clock>(
        costLimit: ByteSize = .megabytes(256),
        countLimit: Int = .max,
        entryCostLimit: ByteSize? = nil,
        timeToLive: Duration? = nil,
        findsImagesInUse: Bool = true,
        clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        var contents = MemoryCacheContents(costLimit: costLimit.bytes, countLimit: countLimit)
        contents.entryCostLimit = entryCostLimit?.bytes
        contents.timeToLive = timeToLive
        contents.weakImages = findsImagesInUse ? WeakImages() : nil
        self.contents = ReadersLock(contents, tally: Tally())
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    // MARK: - Limits

    /// What the images may take together; lowering it drops images at once.
    ///
    /// `SDImageCacheConfig.maxMemoryCost`.
    public var costLimit: ByteSize {
        get { .bytes(contents.withReading { contents, _ in contents.store.costLimit }) }
        set { changeLimits { $0.store.costLimit = newValue.bytes } }
    }

    /// How many images may be held; lowering it drops images at once.
    ///
    /// `SDImageCacheConfig.maxMemoryCount`.
    public var countLimit: Int {
        get { contents.withReading { contents, _ in contents.store.countLimit } }
        set { changeLimits { $0.store.countLimit = newValue } }
    }

    /// What one image may take, for images stored from now on; nil for half of `costLimit`.
    ///
    /// A larger image would drive out too many others.
    public var entryCostLimit: ByteSize? {
        get { contents.withReading { contents, _ in contents.entryCostLimit.map { .bytes($0) } } }
        set { changeLimits { $0.entryCostLimit = newValue?.bytes } }
    }

    /// How long an image is held after it was stored; nil for as long as there is room.
    ///
    /// A change applies to the images held, too. One whose time is over is not found; `removeExpired()` frees it.
    public var timeToLive: Duration? {
        get { contents.withReading { contents, _ in contents.timeToLive } }
        set { changeLimits { $0.timeToLive = newValue } }
    }

    /// Whether an image that left and is still in use elsewhere is found again.
    ///
    /// `SDImageCacheConfig.shouldUseWeakMemoryCache`.
    public var findsImagesInUse: Bool {
        get { contents.withReading { contents, _ in contents.weakImages != nil } }
        set { changeLimits { $0.weakImages = newValue ? $0.weakImages ?? WeakImages() : nil } }
    }

    private func changeLimits(_ change: (inout MemoryCacheContents) -> Void) {
        _ = contents.withWriting { contents in
            change(&contents)
            return contents.evict()
        }
    }

    // MARK: - Images

    /// The image under a key; finding it counts as a use.
    public func image(for key: ImageCacheKey) -> WebImage? {
        let hash = key.hashValue
        let (held, timeToLive, mayRevive) = contents.withReading { contents, tally in
            guard let held = contents.store.value(for: key, hash: hash) else {
                tally.misses += 1
                return (HeldImage?.none, Duration?.none, contents.weakImages?.isEmpty == false)
            }
            tally.hits += 1
            return (held, contents.timeToLive, false)
        }
        guard let held else { return mayRevive ? revive(key, hash: hash) : nil }
        guard let timeToLive, held.isExpired(at: now(), timeToLive: timeToLive) else { return held.image }
        _ = contents.withWriting { $0.expire(key, hash: hash, storedAt: held.storedAt) }
        contents.withReading { _, tally in
            tally.hits -= 1
            tally.misses += 1
        }
        return nil
    }

    /// Keeps an image under a key and drops what exceeds the limits; one that is larger than its limit is not kept.
    public func store(_ image: WebImage, for key: ImageCacheKey) {
        let hash = key.hashValue
        let held = HeldImage(image: image, storedAt: now())
        // What leaves is released after the lock, here and below: freeing pixels takes time.
        _ = contents.withWriting { $0.insert(held, for: key, hash: hash) }
    }

    /// Forgets the image under a key.
    public func remove(for key: ImageCacheKey) {
        let hash = key.hashValue
        _ = contents.withWriting { $0.remove(key, hash: hash) }
    }

    /// Forgets all images, those in use elsewhere too.
    public func removeAll() {
        _ = contents.withWriting { $0.removeAll() }
    }

    /// Forgets the images whose time is over.
    public func removeExpired() {
        let now = now()
        _ = contents.withWriting { $0.removeExpired(now: now) }
    }

    /// Drops images until the rest takes at most so much; the limits stay.
    public func trim(toCost cost: ByteSize) {
        _ = contents.withWriting { $0.evict(toCost: cost.bytes) }
    }

    /// Drops images until at most so many are left; the limits stay.
    public func trim(toCount count: Int) {
        _ = contents.withWriting { $0.evict(count: count) }
    }

    private func revive(_ key: ImageCacheKey, hash: Int) -> WebImage? {
        let now = now()
        return contents.withWriting { $0.revive(key, hash: hash, now: now) }.image
    }

    // MARK: - Pressure

    /// Gives memory back whenever the monitor tells of pressure, as `respond(to:)` does; in place of the monitor before.
    public func follow(_ monitor: MemoryPressureMonitor) {
        let observation = monitor.observe { [weak self] in self?.respond(to: $0) }
        let former = self.observation.withLock { former in
            defer { former = observation }
            return former
        }
        _ = former
    }

    /// Gives memory back: half of what is held at a warning, all of it when memory is critical.
    ///
    /// Images in use elsewhere are still found.
    public func respond(to level: MemoryPressureLevel) {
        switch level {
        case .normal: break
        case .warning: _ = contents.withWriting { $0.evict(toCost: $0.store.cost / 2) }
        case .critical: trim(toCount: 0)
        }
    }

    /// Gives memory back: half of what is held when the application is no longer seen, all of it at a memory warning.
    ///
    /// Images in use elsewhere are still found.
    public func respond(to event: ApplicationEvent) {
        switch event {
        case .didEnterBackground: respond(to: MemoryPressureLevel.warning)
        case .didReceiveMemoryWarning: respond(to: MemoryPressureLevel.critical)
        case .willTerminate: break
        }
    }

    // MARK: - Figures

    /// The number of images held.
    public var count: Int {
        contents.withReading { contents, _ in contents.store.count }
    }

    /// The memory that the images held take, in bytes.
    public var totalCost: Int {
        contents.withReading { contents, _ in contents.store.cost }
    }

    /// What the cache holds, and what it has done.
    public var statistics: MemoryCacheStatistics {
        var statistics = contents.withReading { contents, _ in
            MemoryCacheStatistics(
                count: contents.store.count,
                cost: contents.store.cost,
                weakHits: contents.weakHits,
                misses: -contents.weakHits,
                evictions: contents.evictions,
                expirations: contents.expirations
            )
        }
        for tally in contents.tallies {
            statistics.hits += tally.hits
            statistics.misses += tally.misses
        }
        return statistics
    }
}
