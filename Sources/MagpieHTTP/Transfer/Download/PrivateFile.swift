import Foundation

/// Files that only their owner may read, made under names that nobody else has.
enum PrivateFile {
    /// Writes a file whole or not at all; one that is there is replaced.
    static func write(_ data: Data, to path: String) throws {
        let (descriptor, temporary) = try create(beside: path)
        defer { close(descriptor) }
        do {
            try writeAll(data, to: descriptor)
            guard rename(temporary, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Makes a new, hidden file in the folder of `path`.
    static func create(beside path: String) throws(POSIXError) -> (descriptor: CInt, path: String) {
        let name = (path as NSString).lastPathComponent
        let folder = (path as NSString).deletingLastPathComponent
        // A name may have 255 bytes; the file's own is in it for people.
        let random = String(UInt64.random(in: 0 ... .max), radix: 36)
        let temporary = "\(folder.isEmpty ? "." : folder)/.\(name.prefix(byteCount: 100)).\(random).part"
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (descriptor, temporary)
    }

    /// Writes all the bytes at the place where the file stands.
    static func writeAll(_ data: Data, to descriptor: CInt) throws(POSIXError) {
        let failure = data.withUnsafeBytes { bytes -> CInt? in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                rest = rest.dropFirst(count)
            }
            return nil
        }
        if let failure { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
    }
}
