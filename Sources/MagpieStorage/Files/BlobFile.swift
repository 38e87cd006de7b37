import CXXHash
import Foundation
import Glibc

/// A blob's file, open for reading.
///
/// Files are never changed once they have their name, so that what was found whole stays so, whoever replaces or
/// removes it.
final class BlobFile: Sendable {
    let descriptor: Int32
    let status: FileStatus

    /// Nil when there is no such plain file.
    init?(_ name: BlobName, in directory: StoreDirectory) {
        descriptor = directory.open(name.cString)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, let plain = FileStatus(status) else {
            self.status = FileStatus.none
            return nil
        }
        self.status = plain
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The blob; nil when it is damaged or another key's.
    func blob(of key: String) -> Blob? {
        // A footer is looked at before memory is asked for what may be a large file of nothing.
        if status.size > 1 << 20, tail()?.format == nil { return nil }
        guard let file = bytes(at: 0, count: status.size) else { return nil }
        return file.withUnsafeBytes { bytes -> Blob? in
            guard let format = BlobFormat(footer: bytes.suffixBuffer(BlobFormat.footerSize), fileSize: bytes.count)
            else {
                return nil
            }
            let trailer = bytes.suffixBuffer(format.trailerLength)
            let bodyHash = magpie_xxh3_64bits_with_seed(bytes.baseAddress, format.bodyLength, 0)
            guard format.isWhole(bodyHash: bodyHash, trailer: trailer), format.isKey(key, in: trailer) else {
                return nil
            }
            // The bytes come first, so that their slice starts at index 0 like any other data.
            let body = file.prefix(format.bodyLength)
            return Blob(data: body, metadata: format.metadata(in: trailer))
        }
    }

    /// What stands behind the bytes, by the footer alone; nil when the footer is none.
    ///
    /// Nothing of it is known to be as it was written until the bytes were hashed.
    func tail() -> (format: BlobFormat, trailer: Data)? {
        let footerStart = status.size - BlobFormat.footerSize
        guard footerStart >= 0, let footer = bytes(at: footerStart, count: BlobFormat.footerSize),
            let format = footer.withUnsafeBytes({ BlobFormat(footer: $0, fileSize: status.size) }),
            let trailer = bytes(at: format.bodyLength, count: format.trailerLength)
        else { return nil }
        return (format, trailer)
    }

    /// A part of the file; nil when it is not there.
    func bytes(at offset: Int, count: Int) -> Data? {
        guard count > 0 else { return count == 0 ? Data() : nil }
        guard let buffer = malloc(count) else { return nil }
        var done = 0
        while done < count {
            let got = pread(descriptor, buffer + done, count - done, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                free(buffer)
                return nil
            }
            done += got
        }
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }

    /// The hash of the bytes, which are read in parts.
    func bodyHash(length: Int) -> UInt64? {
        let hash = RunningHash()
        var offset = 0
        while offset < length {
            let count = min(1 << 18, length - offset)
            guard let part = bytes(at: offset, count: count) else { return nil }
            hash.add(part)
            offset += count
        }
        return hash.value
    }
}

extension UnsafeRawBufferPointer {
    /// The last `count` bytes, or fewer.
    fileprivate func suffixBuffer(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: suffix(count))
    }
}
