/// What a memory cache holds, and what it has done since it was made.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// The number of images held.
    public var count = 0

    /// The memory that the images held take, in bytes.
    public var cost = 0

    /// How often an image was asked for and held.
    public var hits = 0

    /// How often an image was asked for that had left the cache, but was found because it was still in use elsewhere.
    public var weakHits = 0

    /// How often an image was asked for and not found.
    public var misses = 0

    /// How many images left because of a limit or of memory pressure.
    public var evictions = 0

    /// How many images left because their time was over.
    public var expirations = 0

    /// The part of the images asked for that were found, from 0 to 1; 0 before the first.
    public var hitRatio: Double {
        let found = hits + weakHits
        return found == 0 ? 0 : Double(found) / Double(found + misses)
    }
}
