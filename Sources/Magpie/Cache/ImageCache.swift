public import Foundation
import MagpieHTTP
public import MagpieImage

/// The two caches of a manager: decoded images in memory, bytes as received on disk.
///
/// Everything may be called from any thread. Memory answers at once; the disk is read and written on threads of the
/// cache's own. Bytes that were stored are found again at once, before they are on disk.
public final class ImageCache: Sendable {
    /// The cache that `ImageManager.shared` uses, in the folder `magpie/default` of the user's cache folder.
    ///
    /// It gives memory back when `MemoryPressureMonitor.shared` tells that the system is short of it.
    public static let shared: ImageCache = {
        let cache = ImageCache()
        (cache.memory as? MemoryCache)?.follow(.shared)
        return cache
    }()

    /// The images in memory.
    public let memory: any MemoryCaching

    /// The bytes on disk; nil for a cache that keeps nothing there.
    public let disk: (any DiskCaching)?

    let writer: StagedWriter?
    let workers: WorkerPool
    let coders: ImageCoders

    /// A cache with a folder of its own.
    ///
    /// - Parameters:
    ///   - name: the name of the folder; caches of one name share their files.
    ///   - folder: where that folder is; by default `magpie` in the user's cache folder (`$XDG_CACHE_HOME`).
    ///   - memory: what the decoded images may take together; by default an eighth of the machine's memory, at most
    ///     512 MB.
    ///   - disk: what the files may take together.
    ///   - maxAge: how long an entry is kept on disk after its last use; nil for ever.
    public convenience init(
        name: String = "default",
        folder: URL? = nil,
        memory: ByteSize? = nil,
        disk: ByteSize = .megabytes(512),
        maxAge: Duration? = .days(7)
    ) {
        let parent = folder ?? DiskCache.standardFolder
        self.init(
            memory: MemoryCache(costLimit: memory ?? Self.standardMemory),
            disk: DiskCache(
                folder: parent.appendingPathComponent(name, isDirectory: true),
                sizeLimit: disk,
                maximumAge: maxAge
            )
        )
    }

    /// A cache of two given parts.
    ///
    /// - Parameters:
    ///   - memory: keeps the decoded images.
    ///   - disk: keeps bytes; without it nothing is kept but in memory.
    ///   - coders: read bytes that are found on disk, and write images that are stored without theirs.
    public init(memory: any MemoryCaching, disk: (any DiskCaching)?, coders: ImageCoders = .shared) {
        self.memory = memory
        self.coders = coders
        self.disk = disk
        workers = WorkerPool(name: "magpie.cache", width: 4)
        writer = disk.map { [workers] in StagedWriter(disk: $0, workers: workers) }
    }

    private static var standardMemory: ByteSize {
        let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        return min(.bytes(physical / 8), .megabytes(512))
    }

    // MARK: - Memory

    /// The image under a key in memory.
    public func image(for key: ImageCacheKey) -> WebImage? {
        memory.image(for: key)
    }

    /// Keeps an image in memory.
    public func store(_ image: WebImage, for key: ImageCacheKey) {
        memory.store(image, for: key)
    }

    /// Forgets all images in memory.
    public func clearMemory() {
        memory.removeAll()
    }

    // MARK: - Disk

    /// The bytes under a key, from those about to be written or from disk.
    ///
    /// - Parameter key: the address of the picture, unless its bytes were stored under something else.
    public func data(for key: String) async -> CachedData? {
        if let staged = writer?.data(for: key) { return staged }
        guard let disk else { return nil }
        return await workers.perform { disk.data(for: key) }
    }

    /// Keeps bytes under their key, to be written to disk soon.
    public func store(_ data: CachedData) {
        writer?.store(data)
    }

    /// Waits until everything that was stored before is on disk, or could not be written.
    public func flush() async {
        await writer?.flush()
        guard let disk else { return }
        await workers.perform { disk.flush() }
    }

    /// Forgets the bytes under a key.
    public func removeData(for key: String) async {
        writer?.discard(key)
        guard let disk else { return }
        await workers.perform { disk.remove(key) }
    }

    /// Forgets all bytes on disk.
    public func clearDisk() async {
        writer?.discardAll()
        guard let disk else { return }
        await workers.perform { disk.removeAll() }
    }

    /// Forgets what is too old on disk, and the oldest of what exceeds the limit.
    public func removeExpired() async {
        guard let disk else { return }
        await workers.perform { disk.removeExpired() }
    }

    /// What is on disk, the most recently used first.
    public func diskEntries() async -> [DiskCacheEntry] {
        guard let disk else { return [] }
        return await workers.perform { disk.entries() }
    }

    /// The number of entries on disk and the size of their files in bytes.
    public func diskUsage() async -> (count: Int, size: Int) {
        guard let disk else { return (0, 0) }
        return await workers.perform { (disk.totalCount, disk.totalSize) }
    }

    /// Responds to what happens to the application: memory is given back; what is too old on disk is forgotten behind
    /// its back when it is no longer seen.
    ///
    /// When it ends, this call returns after all that was stored is on disk and what is too old is forgotten.
    public func respond(to event: ApplicationEvent) {
        memory.respond(to: event)
        guard let disk else { return }
        switch event {
        case .didReceiveMemoryWarning: break
        case .didEnterBackground: workers.run(priority: .low) { disk.removeExpired() }
        case .willTerminate:
            writer?.flushAndWait()
            disk.removeExpired()
        }
    }

    // MARK: - For loads

    /// Finds bytes and hands them to `completion`, at once when they are staged, else on a thread of the cache.
    func readData(
        for key: String,
        priority: HTTPPriority,
        completion: @escaping @Sendable (CachedData?) -> Void
    ) -> (any SharedOperation)? {
        guard let disk else {
            completion(nil)
            return nil
        }
        if let staged = writer?.data(for: key) {
            completion(staged)
            return nil
        }
        return workers.run(priority: priority) { completion(disk.data(for: key)) }
    }

    /// Forgets bytes that turned out to be no picture.
    func discardData(for key: String) {
        writer?.discard(key)
        guard let disk else { return }
        workers.run { disk.remove(key) }
    }
}
