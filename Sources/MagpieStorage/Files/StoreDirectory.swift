import Foundation
import Glibc

/// An open folder: files are reached through it and not by their paths, so that nothing outside can be put in its place.
///
/// Links are not followed.
final class StoreDirectory: Sendable {
    let descriptor: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Opens a folder; nil when it is none, is a link, or is another's.
    ///
    /// - Parameter parent: the folder that a relative path starts at.
    init?(path: String, in parent: Int32 = AT_FDCWD) {
        descriptor = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            device = 0
            inode = 0
            return nil
        }
        device = status.st_dev
        inode = status.st_ino
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a path still leads to this folder, not through a link in its place.
    func isAt(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    /// Opens a file for reading; -1 when that cannot be done.
    func open(_ name: [CChar]) -> Int32 {
        // Not to wait should it be a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = openat(descriptor, name, flags | Self.noAccessTime)
        // Only a file's owner may ask for its access time to be left alone.
        return file < 0 && errno == EPERM ? openat(descriptor, name, flags) : file
    }

    /// Makes a file that was not there before, for its owner alone; -1 when that cannot be done.
    func create(_ name: String) -> Int32 {
        openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    /// What the file system says of a file; nil when there is no such plain file.
    func status(of name: BlobName) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    /// Removes a file; false when it is still there.
    @discardableResult
    func remove(_ name: [CChar]) -> Bool {
        unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Sets when a file was last used, and leaves when it was written.
    func setAccessTime(of name: BlobName, to time: Int64) {
        let times = [timespec(microseconds: time), .unchanged]
        _ = utimensat(descriptor, name.cString, times, AT_SYMLINK_NOFOLLOW)
    }

    /// The names of all that is in the folder.
    func names() -> [String] {
        // A second descriptor, since reading moves the place in it.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes files that processes began to write and did not finish, of all that `isMeant` and are not younger.
    ///
    /// - Parameter time: the last moment of change of those that go, in microseconds since 1970.
    @discardableResult
    func removeUnfinished(olderThan time: Int64 = .max, _ isMeant: (String) -> Bool = { _ in true }) -> Int {
        var count = 0
        for name in names() where name.hasPrefix(".") && name.hasSuffix(Self.unfinishedSuffix) && isMeant(name) {
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                let file = FileStatus(status), file.changed <= time, unlinkat(descriptor, name, 0) == 0
            else { continue }
            count += 1
        }
        return count
    }

    /// What the names of files end in that are being written.
    static let unfinishedSuffix = ".tmp"

    /// O_NOATIME of <fcntl.h>, which Swift does not see: the times of use are set by `setAccessTime` alone.
    private static let noAccessTime: Int32 = 0o1_000_000
}
