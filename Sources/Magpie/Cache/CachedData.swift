public import Foundation

/// A picture's bytes as a server sent them, with what the server said about them.
public struct CachedData: Sendable {
    /// What the bytes are kept under: the address of the picture, unless the caller chose something else.
    public var key: String

    /// The bytes as received.
    public var data: Data

    /// The value of the `Content-Type` field.
    public var contentType: String?

    /// The value of the `ETag` field (RFC 9110 §8.8.3).
    public var entityTag: String?

    /// The value of the `Last-Modified` field (RFC 9110 §8.8.2).
    public var lastModified: String?

    /// When the bytes arrived.
    public var date: Date

    /// Bytes to keep under a key.
    public init(
        key: String,
        data: Data,
        contentType: String? = nil,
        entityTag: String? = nil,
        lastModified: String? = nil,
        date: Date = Date()
    ) {
        self.key = key
        self.data = data
        self.contentType = contentType
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }
}
