/// A cache of bytes on disk.
///
/// Calls block while they read and write; `ImageCache` makes them on threads of its own, several at a time. A disk that
/// is full, read-only or broken costs entries and is never an error for the picture.
public protocol DiskCaching: Sendable {
    /// The bytes under a key, whole and as they were stored, or nil. Finding them counts as a use.
    func data(for key: String) -> CachedData?

    /// Whether there are bytes under a key; does not count as a use.
    func contains(_ key: String) -> Bool

    /// Keeps bytes under their key, in place of those before. Returns false when that could not be done.
    @discardableResult
    func store(_ data: CachedData) -> Bool

    /// Forgets the bytes under a key.
    func remove(_ key: String)

    /// Forgets all bytes.
    func removeAll()

    /// Forgets what is too old, and then the oldest until the size is well below its limit.
    func removeExpired()

    /// What is in the cache, the most recently used first.
    func entries() -> [DiskCacheEntry]

    /// The number of entries.
    var totalCount: Int { get }

    /// The number of bytes that all entries take on disk.
    var totalSize: Int { get }

    /// Finishes what the cache does behind its caller's back.
    func flush()
}

extension DiskCaching {
    /// The number of entries, by listing them.
    public var totalCount: Int { entries().count }

    /// The number of bytes that all entries take on disk, by listing them.
    public var totalSize: Int { entries().reduce(0) { $0 + $1.size } }

    /// Does nothing.
    public func flush() {}
}
