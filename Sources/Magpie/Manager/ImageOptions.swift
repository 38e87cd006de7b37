/// What a load does differently from the usual; names after SDWebImage's `SDWebImageOptions`.
public struct ImageOptions: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt32

    /// A set of these bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The load gives way to others.
    public static let lowPriority = ImageOptions(rawValue: 1 << 1)

    /// The load goes before others.
    public static let highPriority = ImageOptions(rawValue: 1 << 7)

    /// The result carries the bytes as received as well (`ImageResult.data`); for a picture in memory they are read
    /// from disk, if they are there.
    ///
    /// Without it bytes are let go as soon as they are decoded.
    public static let queryMemoryData = ImageOptions(rawValue: 1 << 12)

    /// The network is not asked: what is in no cache ends in `WebImageError.notCached`.
    public static let fromCacheOnly = ImageOptions(rawValue: 1 << 15)

    /// No cache is asked, and the picture comes anew from the network; it is then kept as usual.
    public static let fromLoaderOnly = ImageOptions(rawValue: 1 << 16)

    /// The result comes when the bytes are on disk (or could not be written), rather than before.
    public static let waitStoreCache = ImageOptions(rawValue: 1 << 22)
}
