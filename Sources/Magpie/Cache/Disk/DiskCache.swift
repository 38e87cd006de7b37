public import Foundation
import MagpieStorage

/// The disk cache that comes with the library: a folder with one file for each entry.
///
/// Files are written whole or not at all, carry a checksum, and are shared by any number of processes. An index beside
/// them tells their number and size at once, and which were used longest ago. Whatever is wrong with the folder, its
/// files or the disk costs entries and is never an error. Calls block; they may come from any thread.
public final class DiskCache: DiskCaching {
    let store: BlobStore

    /// The folder that the cache keeps its files in.
    public var folder: URL { store.url }

    /// The folder that caches are made in by default: `magpie` in the user's cache folder (`$XDG_CACHE_HOME`).
    public static var standardFolder: URL { BlobStore.cachesFolder }

    /// A cache in a folder, which is made when something is first stored.
    ///
    /// - Parameters:
    ///   - folder: the folder; what is not the cache's own in it is left alone.
    ///   - sizeLimit: how much the files may take together.
    ///   - maximumAge: how old an entry may become; nil for ever, zero for not at all.
    ///   - expiry: which date says how old an entry is.
    ///   - readOnlyFolders: folders that are asked for what is not in this one, and never written to: other caches', or
    ///     of pictures under the names that SDWebImage gives them.
    public init(
        folder: URL,
        sizeLimit: ByteSize = .unlimited,
        maximumAge: Duration? = .days(7),
        expiry: DiskCacheExpiry = .accessDate,
        readOnlyFolders: [URL] = []
    ) {
        let limits = BlobLimits(maximumSize: sizeLimit.bytes, maximumAge: maximumAge, expiry: expiry.date)
        store = BlobStore(folder: folder, limits: limits, readOnlyFolders: readOnlyFolders)
        pictureFolders = readOnlyFolders.map(SDWebImageFolder.init)
    }

    private let pictureFolders: [SDWebImageFolder]

    /// What the files may take together; a smaller limit takes effect with the next store or trim.
    public var sizeLimit: ByteSize {
        get { .bytes(store.limits.maximumSize) }
        set { store.limits.maximumSize = newValue.bytes }
    }

    /// How old an entry may become; nil for ever, zero for not at all.
    public var maximumAge: Duration? {
        get { store.limits.maximumAge }
        set { store.limits.maximumAge = newValue }
    }

    /// What is left of `sizeLimit`, from 0 to 1, when a cache that grew beyond it has trimmed itself.
    public var lowWaterMark: Double {
        get { store.limits.lowWaterMark }
        set { store.limits.lowWaterMark = newValue }
    }

    // MARK: - Entries

    /// The bytes under a key, if their file is whole; a damaged one is removed.
    public func data(for key: String) -> CachedData? {
        if let entry = entry(of: key, under: key) { return entry }
        let name = SDWebImageFolder.name(for: key)
        // Bytes of an imported folder, whose keys nobody knew until now.
        if var imported = entry(of: SDWebImageFolder.importKey(name), under: key) {
            imported.key = key
            if store(imported) { store.remove(SDWebImageFolder.importKey(name)) }
            return imported
        }
        for folder in pictureFolders {
            if let picture = folder.picture(named: name, key: key) { return picture }
        }
        return nil
    }

    private func entry(of storedKey: String, under key: String) -> CachedData? {
        guard let blob = store.blob(for: storedKey) else { return nil }
        return CachedDataFields.decode(blob.metadata, key: key, data: blob.data)
    }

    /// Whether there is a file for a key, whole or not.
    public func contains(_ key: String) -> Bool {
        if store.contains(key) { return true }
        let name = SDWebImageFolder.name(for: key)
        return store.contains(SDWebImageFolder.importKey(name)) || pictureFolders.contains { $0.contains(name) }
    }

    /// Writes the file of an entry, whole or not at all; trims when that exceeds the limit.
    @discardableResult
    public func store(_ data: CachedData) -> Bool {
        store.write(data.data, metadata: CachedDataFields.encode(data), for: data.key)
    }

    /// Removes the file of a key.
    public func remove(_ key: String) {
        store.remove(key)
        store.remove(SDWebImageFolder.importKey(SDWebImageFolder.name(for: key)))
    }

    /// Removes the files of all entries, and leaves what is not the cache's own.
    public func removeAll() {
        store.removeAll()
    }

    /// Removes what is too old; when more than `sizeLimit` is left, the oldest until it is less than half of it.
    public func removeExpired() {
        trim()
    }

    /// Removes what `removeExpired` does, and says what that was.
    @discardableResult
    public func trim() -> DiskCacheUsage {
        DiskCacheUsage(store.trim())
    }

    /// Reads every file, removes the damaged ones, and makes the index agree with the folder.
    ///
    /// The cache may be in use meanwhile.
    public func verify() -> DiskCacheVerification {
        DiskCacheVerification(store.verify())
    }

    /// The number of entries and the size of their files, in constant time.
    public var usage: DiskCacheUsage { DiskCacheUsage(store.totals) }

    /// What is in the folder, the most recently used first; reads the end of each file.
    public func entries() -> [DiskCacheEntry] {
        store.entries().map(Self.entry)
    }

    /// The entry of a key, without its bytes; does not count as a use.
    public func entry(for key: String) -> DiskCacheEntry? {
        store.entry(for: key).map(Self.entry)
    }

    private static func entry(_ entry: BlobEntry) -> DiskCacheEntry {
        let data = CachedDataFields.decode(entry.metadata, key: entry.key, data: Data())
        return DiskCacheEntry(
            data: data ?? CachedData(key: entry.key, data: Data(), date: entry.modified),
            size: entry.size,
            used: entry.accessed,
            file: entry.file
        )
    }

    /// The number of entries, in constant time.
    public var totalCount: Int { usage.count }

    /// The size of all entries' files in bytes, in constant time.
    public var totalSize: Int { usage.size }

    /// Writes into the index what was stored and used.
    public func flush() {
        store.flush()
    }
}
