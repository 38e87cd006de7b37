public import Foundation

/// One entry of a disk cache, as a listing shows it.
public struct DiskCacheEntry: Sendable {
    /// What is stored with the bytes, and no bytes.
    public var data: CachedData

    /// The number of bytes that the entry takes on disk.
    public var size: Int

    /// When the bytes were last asked for.
    public var used: Date

    /// The file that holds the bytes, where the cache has one for each entry.
    public var file: URL?

    /// An entry for a listing.
    ///
    /// - Parameters:
    ///   - data: what is stored with the bytes, and no bytes.
    ///   - size: the number of bytes that the entry takes on disk.
    ///   - used: when the bytes were last asked for.
    ///   - file: the file that holds the bytes.
    public init(data: CachedData, size: Int, used: Date, file: URL? = nil) {
        self.data = data
        self.size = size
        self.used = used
        self.file = file
    }

    /// What the bytes are kept under.
    public var key: String { data.key }

    /// The value of the server's `Content-Type` field.
    public var contentType: String? { data.contentType }

    /// When the bytes were stored.
    public var stored: Date { data.date }
}
