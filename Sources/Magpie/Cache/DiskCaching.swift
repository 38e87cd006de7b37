public import Foundation

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

    /// Forgets what is too old, and then the least recently used until the size is well below its limit.
    func removeExpired()

    /// What is in the cache, the most recently used first.
    func entries() -> [DiskCacheEntry]
}

/// One entry of a disk cache, as a listing shows it.
public struct DiskCacheEntry: Sendable {
    /// What the bytes are kept under.
    public var key: String

    /// The value of the server's `Content-Type` field.
    public var contentType: String?

    /// The number of bytes that the entry takes on disk.
    public var size: Int

    /// When the bytes were stored.
    public var stored: Date

    /// When the bytes were last asked for.
    public var used: Date

    /// The file that holds the bytes, where the cache has one for each entry.
    public var file: URL?

    /// An entry for a listing.
    ///
    /// - Parameters:
    ///   - key: what the bytes are kept under.
    ///   - contentType: the value of the server's `Content-Type` field.
    ///   - size: the number of bytes that the entry takes on disk.
    ///   - stored: when the bytes were stored.
    ///   - used: when the bytes were last asked for.
    ///   - file: the file that holds the bytes.
    public init(key: String, contentType: String?, size: Int, stored: Date, used: Date, file: URL? = nil) {
        self.key = key
        self.contentType = contentType
        self.size = size
        self.stored = stored
        self.used = used
        self.file = file
    }
}
