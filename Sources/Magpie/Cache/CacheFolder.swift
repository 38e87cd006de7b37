import CCrypto
import Foundation
import Glibc

/// The folder of a disk cache: where it is, how its files are named, and how one is read and written whole.
///
/// The folder is made when something is first written, readable by its owner alone (0700; files 0600). Links are not
/// followed.
struct CacheFolder: Sendable {
    let url: URL

    /// The folder of all caches of this kind: `magpie` in `$XDG_CACHE_HOME`, by default `~/.cache`
    /// (XDG Base Directory Specification; a relative path in the variable is ignored, as it says).
    static var standard: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("magpie", isDirectory: true)
        }
        let home = environment["HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appendingPathComponent(".cache/magpie", isDirectory: true)
    }

    /// The name of a key's file: the SHA-256 of the key in lower-case hexadecimal.
    static func name(for key: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        var key = key
        key.withUTF8 { _ = EVP_Digest($0.baseAddress, $0.count, &digest, &length, EVP_sha256(), nil) }
        let digits = Array("0123456789abcdef".utf8)
        var name = ""
        name.reserveCapacity(64)
        for byte in digest.prefix(Int(length)) {
            name.unicodeScalars.append(Unicode.Scalar(digits[Int(byte >> 4)]))
            name.unicodeScalars.append(Unicode.Scalar(digits[Int(byte & 15)]))
        }
        return name
    }

    /// Whether a name is one that `name(for:)` makes; all else in the folder is not the cache's.
    static func isEntry(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    func path(of name: String) -> String {
        url.path + "/" + name
    }

    /// The bytes of a file, or its last `limit` bytes, or nil.
    ///
    /// - Parameters:
    ///   - limit: how much of the end of the file is wanted.
    ///   - marksUse: whether the file counts as used now.
    ///   - accepts: is asked about the file's last bytes and its size, before memory for all of it is asked for.
    func read(
        _ name: String,
        last limit: Int = .max,
        marksUse: Bool = true,
        accepting accepts: (_ tail: Data, _ size: Int) -> Bool = { _, _ in true }
    ) -> Data? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var descriptor = open(path(of: name), marksUse ? flags : flags | Self.noAccessTime)
        // Only a file's owner may ask for its access time to be left alone.
        if descriptor < 0, errno == EPERM { descriptor = open(path(of: name), flags) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        var tail = Data(count: min(size, DiskCacheFile.footerSize))
        let start = off_t(size - tail.count)
        let got = tail.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, start) }
        guard got == tail.count, accepts(tail, size) else { return nil }
        if size > limit, lseek(descriptor, off_t(size - limit), SEEK_SET) < 0 { return nil }
        guard let data = Self.read(descriptor, count: min(size, limit)) else { return nil }
        if marksUse { Self.touch(descriptor, usedAt: status.st_atim.tv_sec) }
        return data
    }

    /// Writes a file so that a reader, or a crash, finds the former file or the new one and never a part of it.
    func write(_ parts: [Data], to name: String) -> Bool {
        guard prepare() else { return false }
        // Eight random bytes keep the names of several threads and processes apart; the kernel refuses a second use.
        let temporary = path(of: ".\(name.prefix(16))-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        var isWritten = parts.allSatisfy { $0.writeAll(to: descriptor) == 0 }
        isWritten = close(descriptor) == 0 && isWritten
        if isWritten, rename(temporary, path(of: name)) == 0 { return true }
        unlink(temporary)
        return false
    }

    func remove(_ name: String) {
        unlink(path(of: name))
    }

    /// Makes the folder and the file that tells backup programs to leave it out
    /// (Cache Directory Tagging Specification), unless they are there.
    private func prepare() -> Bool {
        if access(url.path, W_OK) == 0 { return true }
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        let isMade =
            (try? FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: attributes
            )) != nil
        guard isMade else { return false }
        let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds a cache of Magpie.\n"
        try? Data(tag.utf8).write(to: url.appendingPathComponent("CACHEDIR.TAG"), options: .withoutOverwriting)
        return true
    }

    private static func read(_ descriptor: Int32, count: Int) -> Data? {
        guard count > 0, let buffer = malloc(count) else { return nil }
        var done = 0
        while done < count {
            let got = Glibc.read(descriptor, buffer + done, count - done)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                free(buffer)
                return nil
            }
            done += got
        }
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }

    /// O_NOATIME of <fcntl.h>, which Swift does not see.
    private static let noAccessTime: Int32 = 0o1_000_000

    /// Sets the access time, which many mounts do not keep by themselves; once a minute is often enough.
    private static func touch(_ descriptor: Int32, usedAt seconds: Int) {
        guard time(nil) - seconds > 60 else { return }
        // UTIME_NOW and UTIME_OMIT of <sys/stat.h>, macros that Swift does not see.
        let (now, unchanged) = ((1 << 30) - 1, (1 << 30) - 2)
        let times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: unchanged)]
        _ = futimens(descriptor, times)
    }
}
