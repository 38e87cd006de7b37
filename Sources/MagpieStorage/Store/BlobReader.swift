package import Foundation

/// A blob that is read in parts; what replaces or removes it does not disturb the reading.
///
/// Calls block; they may come from any thread, several at a time.
package final class BlobReader: Sendable {
    /// The number of bytes.
    package let length: Int
    /// What was stored with them.
    package let metadata: Data
    private let file: BlobFile

    /// Nil when the file is damaged or holds another key.
    init?(_ file: BlobFile, key: String) {
        guard let (format, trailer) = file.tail(), let hash = file.bodyHash(length: format.bodyLength) else {
            return nil
        }
        let metadata: Data? = trailer.withUnsafeBytes { trailer in
            guard format.isWhole(bodyHash: hash, trailer: trailer), format.isKey(key, in: trailer) else { return nil }
            return format.metadata(in: trailer)
        }
        guard let metadata else { return nil }
        self.metadata = metadata
        self.file = file
        length = format.bodyLength
    }

    /// At most `count` bytes from `offset` on, none behind the end; nil when the disk fails.
    package func bytes(at offset: Int, count: Int) -> Data? {
        guard offset >= 0, offset < length, count > 0 else { return Data() }
        return file.bytes(at: offset, count: min(count, length - offset))
    }
}
