public import Foundation

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
