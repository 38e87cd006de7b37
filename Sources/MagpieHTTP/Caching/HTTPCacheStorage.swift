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

    /// Stores an entry in place of the one that was stored for the key.
    func store(_ entry: HTTPCacheEntry, for key: String)

    /// Replaces the head of the entry that is stored for the key, if there is one, and keeps its body.
    func replaceHead(_ head: HTTPCacheEntry.Head, for key: String)

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
