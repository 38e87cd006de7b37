public import Foundation

/// Where a picture came from.
public enum ImageSource: String, Sendable, Hashable, Codable {
    /// Decoded, from the memory cache.
    case memory
    /// Decoded from bytes on disk.
    case disk
    /// Decoded from bytes that a server sent.
    case network
}

/// A picture that was loaded, and where it came from.
public struct ImageResult: Sendable {
    /// The picture.
    public var image: WebImage

    /// Where it came from.
    public var source: ImageSource

    /// The address it was asked for by.
    public var url: URL

    /// The bytes as received, when `ImageOptions.queryMemoryData` asked for them and they were to be had.
    public var data: Data?
}

/// The bytes of a picture, and where they came from.
public struct ImageDataResult: Sendable {
    /// The bytes as received.
    public var data: Data

    /// The value of the server's `Content-Type` field.
    public var contentType: String?

    /// Where the bytes came from: disk or network.
    public var source: ImageSource
}
