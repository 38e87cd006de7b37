import Foundation

/// The partial file of a download, which gets its name when it is complete.
///
/// All functions block. `@unchecked Sendable`: used by the steps of one download, which run one after another.
final class DownloadFile: @unchecked Sendable {
    /// Where the bytes go in the end.
    let destination: URL

    /// Where the bytes are until then.
    let partialPath: String

    /// How many bytes are there.
    private(set) var byteCount: Int64

    private let descriptor: CInt

    private init(destination: URL, partialPath: String, descriptor: CInt, byteCount: Int64) {
        self.destination = destination
        self.partialPath = partialPath
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    deinit { close(descriptor) }

    /// Makes a new partial file under a name of its own in the folder of the destination.
    static func create(for destination: URL, options: HTTPDownloadOptions) throws(HTTPError) -> DownloadFile {
        try check(destination, options: options)
        do throws(POSIXError) {
            let (descriptor, path) = try PrivateFile.create(beside: destination.path(percentEncoded: false))
            return DownloadFile(destination: destination, partialPath: path, descriptor: descriptor, byteCount: 0)
        } catch {
            throw cannotWrite(destination, error.code.rawValue)
        }
    }

    /// Opens a partial file that other downloads may have begun, or makes it; nobody else writes it meanwhile.
    static func open(
        _ partialPath: String,
        for destination: URL,
        options: HTTPDownloadOptions
    ) throws(HTTPError) -> DownloadFile {
        try check(destination, options: options)
        // A pipe in the file's place must not block the opening.
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = Foundation.open(partialPath, flags, 0o600)
        guard descriptor >= 0 else { throw cannotWrite(partialPath, errno) }
        var status = stat()
        var named = stat()
        do throws(HTTPError) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw .cannotWriteFile(path: partialPath, reason: "another download is writing it")
            }
            // Between the opening and the locking another download may have finished and given the file its name.
            guard fstat(descriptor, &status) == 0, lstat(partialPath, &named) == 0, status.st_ino == named.st_ino,
                status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1
            else { throw .cannotWriteFile(path: partialPath, reason: "it is not a file of this download alone") }
        } catch {
            close(descriptor)
            throw error
        }
        let count = Int64(status.st_size)
        lseek(descriptor, 0, SEEK_END)
        return DownloadFile(
            destination: destination,
            partialPath: partialPath,
            descriptor: descriptor,
            byteCount: count
        )
    }

    /// Adds bytes at the end.
    func write(_ data: Data) throws(HTTPError) {
        do throws(POSIXError) {
            try PrivateFile.writeAll(data, to: descriptor)
        } catch {
            // What was written of the chunk is not counted, and must not be there when the download goes on.
            ftruncate(descriptor, off_t(byteCount))
            throw Self.cannotWrite(destination, error.code.rawValue)
        }
        byteCount += Int64(data.count)
    }

    /// Drops all bytes.
    func empty() throws(HTTPError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.cannotWrite(destination, errno)
        }
        byteCount = 0
    }

    /// Whether the bytes from `offset` on are those that the digest was made of.
    func matches(_ digest: ContentDigest, from offset: Int64) throws(HTTPError) -> Bool {
        guard let value = digest.algorithm.function.hash(descriptor, from: offset) else {
            throw Self.cannotWrite(destination, errno)
        }
        return value == digest.value
    }

    /// Gives the file its name and the mode that a new file has.
    func complete(_ options: HTTPDownloadOptions) throws(HTTPError) {
        fchmod(descriptor, 0o666 & ~Self.processMask)
        if options.synchronizes, fsync(descriptor) != 0 { throw Self.cannotWrite(destination, errno) }
        let path = destination.path(percentEncoded: false)
        let isNamed =
            switch options.existingFile {
            case .overwrite: rename(partialPath, path) == 0
            case .fail: renameToNewFile(path)
            }
        if !isNamed { throw Self.cannotWrite(destination, errno) }
    }

    /// Gives the file a name that no other file has, or sets `errno`.
    private func renameToNewFile(_ path: String) -> Bool {
        // Unlike a renaming, a link never replaces a file.
        if link(partialPath, path) == 0 { return unlink(partialPath) == 0 }
        guard errno == EPERM || errno == EOPNOTSUPP else { return false }
        // Where links are unknown, an empty file makes sure that nobody else has the name.
        let claim = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard claim >= 0 else { return false }
        close(claim)
        return rename(partialPath, path) == 0
    }

    /// Removes the partial file.
    func discard() { unlink(partialPath) }

    /// Finds out before anything is loaded that the destination cannot be had.
    private static func check(_ destination: URL, options: HTTPDownloadOptions) throws(HTTPError) {
        let path = destination.path(percentEncoded: false)
        guard destination.isFileURL else { throw .cannotWriteFile(path: path, reason: "it is no address of a file") }
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        if options.existingFile == .fail { throw cannotWrite(destination, EEXIST) }
        // A device or a folder would be lost or refused in the end.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotWriteFile(path: path, reason: "something other than a file has that name")
        }
    }

    private static func cannotWrite(_ file: URL, _ number: CInt) -> HTTPError {
        cannotWrite(file.path(percentEncoded: false), number)
    }

    private static func cannotWrite(_ path: String, _ number: CInt) -> HTTPError {
        .cannotWriteFile(path: path, reason: String(cString: strerror(number)))
    }

    /// The permissions that this process gives no new file; `umask` itself cannot be read without changing it.
    private static var processMask: mode_t {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        let digits = line?.split(separator: "\t").last ?? ""
        return mode_t(digits, radix: 8) ?? 0o077
    }
}
