public import Foundation
import Glibc
import MagpieConcurrency
import MagpieHTTP

/// The disk cache that comes with the library: a folder with one file for each entry.
///
/// Files are written whole or not at all, carry a checksum, and are shared by any number of processes. What exceeds
/// `sizeLimit` is trimmed as the cache grows, the least recently used first, down to four fifths of it.
public final class DiskCache: DiskCaching {
    private struct State {
        /// The size of all entries as far as this process knows; nil before the folder was first looked through.
        var knownSize: Int?
        var sizeLimit: Int
        var maximumAge: Duration?
        var isTrimming = false
    }

    /// A file of the cache as the folder shows it.
    private struct File {
        let name: String
        let size: Int
        let used: Date
    }

    private let files: CacheFolder
    private let state: Lock<State>

    /// The folder that the cache keeps its files in.
    public var folder: URL { files.url }

    /// A cache in a folder, which is made when something is first stored.
    ///
    /// - Parameters:
    ///   - folder: the folder; what is not the cache's own in it is left alone.
    ///   - sizeLimit: how much the files may take together.
    ///   - maximumAge: how long an entry is kept after its last use; nil for ever.
    public init(folder: URL, sizeLimit: ByteSize = .unlimited, maximumAge: Duration? = .days(7)) {
        files = CacheFolder(url: folder)
        state = Lock(State(sizeLimit: sizeLimit.bytes, maximumAge: maximumAge))
    }

    /// The bytes under a key, if their file is whole; a damaged one is removed.
    public func data(for key: String) -> CachedData? {
        let name = CacheFolder.name(for: key)
        var isRefused = false
        let file = files.read(name) { footer, size in
            isRefused = !DiskCacheFile.isPlausible(footer: footer, fileSize: size)
            return !isRefused
        }
        if let file, let entry = DiskCacheFile.entry(in: file), entry.key == key { return entry }
        // Damaged: the file would be found and refused every time.
        if file != nil || isRefused { files.remove(name) }
        return nil
    }

    /// Whether there is a file for a key, whole or not.
    public func contains(_ key: String) -> Bool {
        access(files.path(of: CacheFolder.name(for: key)), F_OK) == 0
    }

    /// Writes the file of an entry, whole or not at all; trims when that exceeds the limit.
    @discardableResult
    public func store(_ data: CachedData) -> Bool {
        let trailer = DiskCacheFile.trailer(of: data)
        guard files.write([data.data, trailer], to: CacheFolder.name(for: data.key)) else { return false }
        let isOverLimit = state.withLock { state in
            state.knownSize? += data.data.count + trailer.count
            // The first time, the folder is looked through for its size and for what is too old.
            return state.knownSize.map { $0 > state.sizeLimit } ?? true
        }
        if isOverLimit { removeExpired() }
        return true
    }

    /// Removes the file of a key.
    public func remove(_ key: String) {
        files.remove(CacheFolder.name(for: key))
    }

    /// Removes the files of all entries, and leaves what is not the cache's own.
    public func removeAll() {
        for file in list() { files.remove(file.name) }
        removeLeftovers(olderThan: 0)
        state.withLock { $0.knownSize = 0 }
    }

    /// Removes what is older than the maximum age, then the least recently used down to four fifths of the limit.
    ///
    /// Does nothing while another thread does so.
    public func removeExpired() {
        let limits: State? = state.withLock { state in
            guard !state.isTrimming else { return nil }
            state.isTrimming = true
            return state
        }
        guard let limits else { return }
        var kept = list().sorted { $0.used > $1.used }
        if let age = limits.maximumAge {
            let oldest = Date().addingTimeInterval(-Double(age.components.seconds))
            while let file = kept.last, file.used <= oldest {
                files.remove(kept.removeLast().name)
            }
        }
        var size = kept.reduce(0) { $0 + $1.size }
        if size > limits.sizeLimit {
            let target = limits.sizeLimit / 5 * 4
            while size > target, let file = kept.popLast() {
                files.remove(file.name)
                size -= file.size
            }
        }
        removeLeftovers(olderThan: 3600)
        state.withLock { state in
            state.knownSize = size
            state.isTrimming = false
        }
    }

    /// What is in the folder, the most recently used first; reads the end of each file.
    public func entries() -> [DiskCacheEntry] {
        list().sorted { $0.used > $1.used }.compactMap { file in
            // 64 KB hold the fields of nearly any entry; one with longer ones is served and not listed.
            guard let tail = files.read(file.name, last: 1 << 16, marksUse: false),
                let entry = DiskCacheFile.listing(tail: tail, fileSize: file.size)
            else { return nil }
            return DiskCacheEntry(
                key: entry.key,
                contentType: entry.contentType,
                size: file.size,
                stored: entry.date,
                used: file.used,
                file: folder.appendingPathComponent(file.name)
            )
        }
    }

    private func list() -> [File] {
        Self.names(in: folder).filter(CacheFolder.isEntry).compactMap { name in
            var status = stat()
            guard lstat(files.path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let used = Date(timeIntervalSince1970: Double(status.st_atim.tv_sec) + Double(status.st_atim.tv_nsec) / 1e9)
            return File(name: name, size: Int(status.st_size), used: used)
        }
    }

    /// Removes what writers that were killed left behind; a young file may still be somebody's.
    private func removeLeftovers(olderThan seconds: Int) {
        for name in Self.names(in: folder) where name.hasPrefix(".") && name.hasSuffix(".tmp") {
            var status = stat()
            guard lstat(files.path(of: name), &status) == 0, time(nil) - status.st_mtim.tv_sec >= seconds else {
                continue
            }
            files.remove(name)
        }
    }

    private static func names(in folder: URL) -> [String] {
        guard let stream = opendir(folder.path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
