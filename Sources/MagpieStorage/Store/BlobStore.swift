package import Foundation
import Glibc

/// A folder of blobs: bytes and metadata under keys, shared by any number of threads and processes.
///
/// Each blob is a file of its own, written whole or not at all and found by its key's hash; a reader needs nothing but
/// that file. An index beside them (SQLite) tells their number and size and which are the oldest; it is written behind
/// and made anew from the files when it is lost. Whatever is wrong with folder, file or disk costs entries and is never
/// an error. All calls block, and may come from any thread.
package final class BlobStore: Sendable {
    /// Where the store is.
    package let url: URL
    let folder: StoreFolder
    let keeper: IndexKeeper
    private let readOnlyFolders: [StoreFolder]

    /// A store in a folder, which is made when something is first written.
    ///
    /// - Parameters:
    ///   - folder: the folder; what is not the store's own in it is left alone.
    ///   - limits: what is kept; see `limits`.
    ///   - readOnlyFolders: folders of other stores that are asked for what is not in this one, and never written to.
    package init(folder: URL, limits: BlobLimits = BlobLimits(), readOnlyFolders: [URL] = []) {
        url = folder
        self.folder = StoreFolder(path: folder.path)
        self.readOnlyFolders = readOnlyFolders.map { StoreFolder(path: $0.path) }
        keeper = IndexKeeper(folder: self.folder, limits: limits)
    }

    /// The folder for caches of this package: `magpie` in `$XDG_CACHE_HOME`, by default in `~/.cache`
    /// (XDG Base Directory Specification; a relative path in the variable is ignored, as it says).
    package static var cachesFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("magpie", isDirectory: true)
        }
        let home = environment["HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appendingPathComponent(".cache/magpie", isDirectory: true)
    }

    /// What is kept; takes effect with the next change, use or `trim`.
    package var limits: BlobLimits {
        get { keeper.limits }
        set { keeper.limits = newValue }
    }

    // MARK: - Reading

    /// The blob under a key, if its file is whole; a damaged one is removed.
    ///
    /// - Parameter marksUse: whether the entry counts as used now.
    package func blob(for key: String, marksUse: Bool = true) -> Blob? {
        find(key, marksUse: marksUse) { $0.blob(of: key) }
    }

    /// The blob under a key, to be read in parts, if its file is whole; counts as a use.
    ///
    /// The file is read through once before, without holding it in memory.
    package func reader(for key: String) -> BlobReader? {
        find(key, marksUse: true) { BlobReader($0, key: key) }
    }

    /// Whether there is a file for a key, whole or not; does not count as a use.
    package func contains(_ key: String) -> Bool {
        let name = BlobName(key: key)
        return ([folder] + readOnlyFolders).contains { $0.existing()?.status(of: name) != nil }
    }

    private func find<Found>(_ key: String, marksUse: Bool, _ read: (BlobFile) -> Found?) -> Found? {
        let name = BlobName(key: key)
        if let file = open(name) {
            if let found = read(file) {
                if marksUse { keeper.didUse(name, at: FileStatus.now) }
                return found
            }
            // Damaged: it would be found and refused every time.
            remove(name)
        }
        for folder in readOnlyFolders {
            if let file = folder.current().flatMap({ BlobFile(name, in: $0) }), let found = read(file) { return found }
        }
        return nil
    }

    private func open(_ name: BlobName) -> BlobFile? {
        let directory = folder.current()
        if let directory, let file = BlobFile(name, in: directory) { return file }
        // The folder may have been replaced.
        guard let existing = folder.existing(), existing !== directory else { return nil }
        return BlobFile(name, in: existing)
    }

    // MARK: - Writing

    /// Keeps bytes under a key, in place of those before; false when that could not be done.
    @discardableResult
    package func write(_ data: Data, metadata: Data = Data(), for key: String) -> Bool {
        guard let writer = writer(for: key) else { return false }
        return writer.append(data) && writer.commit(metadata: metadata)
    }

    /// Begins to write a blob in parts; nil when that cannot be done.
    package func writer(for key: String) -> BlobWriter? {
        guard let directory = folder.existingOrMade() else { return nil }
        return BlobWriter(key: key, in: directory, keeper)
    }

    /// Marks an entry as used now.
    package func touch(_ key: String) {
        keeper.didUse(BlobName(key: key), at: FileStatus.now)
    }

    /// Removes the entry of a key.
    package func remove(_ key: String) {
        remove(BlobName(key: key))
    }

    /// Removes all entries, and leaves what is not the store's own.
    package func removeAll() {
        guard let directory = folder.existing() else { return }
        directory.names().compactMap(BlobName.init(fileName:)).forEach(remove)
        directory.removeUnfinished()
        keeper.flush()
    }

    func remove(_ name: BlobName) {
        guard let directory = folder.existing() else { return }
        keeper.willChange(name, in: directory)
        directory.remove(name.cString)
        keeper.didChange(name, growth: 0)
    }
}
