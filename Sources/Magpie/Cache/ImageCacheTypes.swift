/// The two parts of a cache, to say which of them is meant; names after SDWebImage's `SDImageCacheType`.
public struct ImageCacheTypes: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Decoded images in memory.
    public static let memory = ImageCacheTypes(rawValue: 1)
    /// Bytes on disk.
    public static let disk = ImageCacheTypes(rawValue: 2)
    /// Both.
    public static let all: ImageCacheTypes = [.memory, .disk]
}
