/// What a query of a cache does differently from the usual; names after SDWebImage's `SDImageCacheOptions`.
public struct ImageCacheOptions: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The bytes are read from disk as well for an image that is in memory.
    public static let queryMemoryData = ImageCacheOptions(rawValue: 1 << 0)

    /// An image that was decoded from bytes on disk is not kept in memory.
    public static let avoidMemoryStore = ImageCacheOptions(rawValue: 1 << 1)
}
