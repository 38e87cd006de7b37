public import Foundation

/// A picture's bytes as a server sent them, with what the server said about them.
public struct CachedData: Sendable, Equatable {
    /// What the bytes are kept under: the address of the picture, unless the caller chose something else.
    public var key: String

    /// The bytes as received.
    public var data: Data

    /// The address that the bytes came from.
    public var url: URL?

    /// The value of the `Content-Type` field.
    public var contentType: String?

    /// The value of the `ETag` field (RFC 9110 §8.8.3).
    public var entityTag: String?

    /// The value of the `Last-Modified` field (RFC 9110 §8.8.2).
    public var lastModified: String?

    /// The value of the `Cache-Control` field, which says how long the bytes are fresh (RFC 9111 §5.2).
    public var cacheControl: String?

    /// The value of the `Expires` field (RFC 9111 §5.3).
    public var expires: String?

    /// When the bytes arrived, or the server last said that they are still the right ones.
    public var date: Date

    /// What the user of the library keeps with the picture.
    public var extendedData: Data?

    /// Bytes to keep under a key; the other properties can be set after.
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
