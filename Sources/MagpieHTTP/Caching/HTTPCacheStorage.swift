/// Where an `HTTPCache` keeps its entries.
///
/// The functions may block and come from several threads at once, for one key from one thread at a time. A failure costs
/// the entry: what cannot be stored is not there, and what cannot be read whole is not there either.
public protocol HTTPCacheStorage: AnyObject, Sendable {
    /// The longest body that has a place, in bytes.
    var maximumBodySize: Int { get }

    /// How many entries there are, and their size in bytes.
    var usage: HTTPCacheUsage { get }

    /// What is stored for the key.
    func entry(for key: String) -> HTTPCacheEntry?

    /// Begins to store an entry, or gives `nil` where that cannot be done.
    func makeWriter(for key: String) -> (any HTTPCacheWriter)?

    /// Replaces the head of the entry that is stored for the key, and keeps its body.
    ///
    /// Does nothing where the entry has another head than `old` by now: the new one does not speak of its body.
    func replaceHead(_ old: HTTPCacheEntry.Head, with new: HTTPCacheEntry.Head, for key: String)

    /// Removes what is stored for the key.
    func removeEntry(for key: String)

    /// Removes all entries.
    func removeAll()
}

/// How much a storage holds.
public struct HTTPCacheUsage: Sendable, Hashable {
    /// The number of entries.
    public var count: Int

    /// The size of the entries, in bytes.
    public var bytes: Int

    /// Makes a measure.
    public init(count: Int = 0, bytes: Int = 0) {
        self.count = count
        self.bytes = bytes
    }
}
