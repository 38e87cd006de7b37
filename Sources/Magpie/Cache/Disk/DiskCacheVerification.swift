import MagpieStorage

/// What a verification of a disk cache found and did.
public struct DiskCacheVerification: Sendable, Hashable {
    /// How many files were read.
    public var checked: Int

    /// How many of them were damaged, or under another key's name, and were removed.
    public var damaged: Int

    /// How many files were removed that some process had begun to write and never finished.
    public var unfinished: Int

    /// How many entries the index had wrong, and has right now.
    public var corrected: Int

    /// Whether the index was damaged and made anew.
    public var isIndexRebuilt: Bool

    /// What the cache holds now.
    public var usage: DiskCacheUsage

    init(_ report: BlobStore.Verification) {
        checked = report.checked
        damaged = report.damaged
        unfinished = report.unfinished
        corrected = report.corrected
        isIndexRebuilt = report.isIndexRebuilt
        usage = DiskCacheUsage(report.totals)
    }
}
