import MagpieStorage

/// A number of entries and what their files take on disk.
public struct DiskCacheUsage: Sendable, Hashable {
    /// The number of entries.
    public var count: Int

    /// The size of their files in bytes.
    public var size: Int

    init(_ totals: BlobStore.Totals) {
        count = totals.count
        size = totals.size
    }
}
