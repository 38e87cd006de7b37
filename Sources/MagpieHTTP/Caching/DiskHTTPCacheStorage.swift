public import Foundation
import MagpieStorage

/// Keeps entries in a folder, up to a number of bytes; what was not used for longest goes first.
///
/// Entries survive a restart and a crash, whole or not at all, and several processes may share the folder. What is wrong
/// with the folder or a file costs entries and is never an error.
public final class DiskHTTPCacheStorage: HTTPCacheStorage {
    /// Where the entries are.
    public var folder: URL { store.url }

    /// How many bytes the entries may have together.
    public let capacity: Int

    private let store: BlobStore

    /// How much is read at once where an entry is copied, in bytes.
    private static let copySize = 256 * 1024

    /// Makes a storage; nothing is opened before its first use.
    ///
    /// - Parameters:
    ///   - folder: Where to keep the entries; `magpie/http` in the user's folder for caches if nothing else is given.
    ///   - capacity: How many bytes the entries may have together.
    public init(folder: URL? = nil, capacity: Int = 150 << 20) {
        self.capacity = max(0, capacity)
        store = BlobStore(
            folder: folder ?? BlobStore.cachesFolder.appending(path: "http", directoryHint: .isDirectory),
            limits: BlobLimits(maximumSize: self.capacity)
        )
    }

    /// The longest body that has a place: a quarter of the capacity.
    public var maximumBodySize: Int { capacity / 4 }

    /// How many entries there are, and their size.
    public var usage: HTTPCacheUsage {
        let totals = store.totals
        return HTTPCacheUsage(count: totals.count, bytes: totals.size)
    }

    /// What is stored for the key; it counts as used now.
    public func entry(for key: String) -> HTTPCacheEntry? {
        guard let reader = store.reader(for: key) else { return nil }
        guard let head = try? JSONDecoder().decode(HTTPCacheEntry.Head.self, from: reader.metadata) else {
            store.remove(key)
            return nil
        }
        let body = HTTPCacheBody(count: reader.length) { reader.bytes(at: $0, count: $1) }
        return HTTPCacheEntry(head: head, body: body)
    }

    /// Begins to store an entry.
    public func makeWriter(for key: String) -> (any HTTPCacheWriter)? {
        store.writer(for: key).map { Writer(writer: $0) }
    }

    /// Replaces a head; the body is copied, so that the entry is whole at any time.
    public func replaceHead(_ old: HTTPCacheEntry.Head, with new: HTTPCacheEntry.Head, for key: String) {
        guard let entry = entry(for: key), entry.head == old, let writer = makeWriter(for: key) else { return }
        let body = entry.body
        var offset = 0
        while offset < body.count {
            guard let chunk = body.bytes(at: offset, count: Self.copySize) else { return writer.cancel() }
            writer.append(chunk)
            offset += chunk.count
        }
        writer.commit(new)
    }

    /// Removes an entry.
    public func removeEntry(for key: String) { store.remove(key) }

    /// Removes all entries.
    public func removeAll() { store.removeAll() }
}

/// Writes one entry to a file.
private final class Writer: HTTPCacheWriter {
    private let writer: BlobWriter

    init(writer: BlobWriter) { self.writer = writer }

    func append(_ chunk: Data) { writer.append(chunk) }

    func commit(_ head: HTTPCacheEntry.Head) {
        // A head is always encodable: its dates are finite.
        guard let metadata = try? JSONEncoder().encode(head) else { return writer.cancel() }
        writer.commit(metadata: metadata)
    }

    func cancel() { writer.cancel() }
}
