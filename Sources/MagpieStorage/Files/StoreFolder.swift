import Foundation
import Glibc
import MagpieConcurrency

/// The folder of a store by its path: opens it when it is needed, makes it when something is to be written, and notices
/// when it was deleted or something else was put in its place.
final class StoreFolder: Sendable {
    let path: String
    private let opened = Lock<StoreDirectory?>(nil)

    init(path: String) {
        self.path = path
    }

    /// The folder as it was last opened; nil when there is none.
    func current() -> StoreDirectory? {
        opened.withLock { opened in
            if opened == nil { opened = StoreDirectory(path: path) }
            return opened
        }
    }

    /// The folder that the path leads to now; nil when there is none.
    ///
    /// Costs a look at the file system.
    func existing() -> StoreDirectory? {
        if let current = current(), current.isAt(path) { return current }
        return opened.withLock { opened in
            opened = StoreDirectory(path: path)
            return opened
        }
    }

    /// The folder that the path leads to now, made when there is none; nil when that cannot be done.
    func existingOrMade() -> StoreDirectory? {
        if let existing = existing() { return existing }
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: attributes
        )
        guard let made = existing() else { return nil }
        tag(made)
        return made
    }

    /// Writes the file that tells backup programs to leave the folder out (Cache Directory Tagging Specification).
    private func tag(_ directory: StoreDirectory) {
        let file = directory.create("CACHEDIR.TAG")
        guard file >= 0 else { return }
        _ = Data("Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds a cache of Magpie.\n".utf8)
            .writeAll(to: file)
        close(file)
    }
}
