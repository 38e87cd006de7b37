import CXXHash
import Foundation

/// The form of a blob's file: the bytes first, so that any program opens the file as what they are; after them the
/// metadata and the key; last a footer of fixed size, which finds damage of any kind.
///
///     bytes | metadata | key | length of bytes: UInt64 | of metadata: UInt32 | of key: UInt32 | checksum: UInt64 |
///     "MAGPIE2\n"
///
/// Integers are little-endian. The checksum is XXH3 of all before it, except that the bytes go in as their own XXH3,
/// which seeds the rest. It finds what file systems break and guards against no adversary, who could write it as well.
struct BlobFormat {
    /// The size of the footer.
    static let footerSize = 32
    private static let magic: [UInt8] = Array("MAGPIE2\n".utf8)

    let bodyLength: Int
    let metadataLength: Int
    let keyLength: Int
    private let checksum: UInt64

    /// The size of all that follows the bytes.
    var trailerLength: Int { metadataLength + keyLength + Self.footerSize }

    /// Reads a footer; nil when it is none, or does not agree with the size of its file.
    init?(footer: UnsafeRawBufferPointer, fileSize: Int) {
        guard footer.count == Self.footerSize, footer.suffix(Self.magic.count).elementsEqual(Self.magic),
            let body = Int(exactly: UInt64(littleEndian: footer.loadUnaligned(as: UInt64.self)))
        else { return nil }
        bodyLength = body
        metadataLength = Int(UInt32(littleEndian: footer.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        keyLength = Int(UInt32(littleEndian: footer.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
        checksum = UInt64(littleEndian: footer.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        let (sum, overflow) = body.addingReportingOverflow(metadataLength + keyLength + Self.footerSize)
        guard !overflow, sum == fileSize else { return nil }
    }

    /// Whether the bytes, by their hash, and what follows them are as they were written.
    func isWhole(bodyHash: UInt64, trailer: UnsafeRawBufferPointer) -> Bool {
        guard trailer.count == trailerLength else { return false }
        let covered = UnsafeRawBufferPointer(rebasing: trailer.dropLast(16))
        return magpie_xxh3_64bits_with_seed(covered.baseAddress, covered.count, bodyHash) == checksum
    }

    /// The metadata in what follows the bytes.
    func metadata(in trailer: UnsafeRawBufferPointer) -> Data {
        Data(trailer.prefix(metadataLength))
    }

    /// Whether what follows the bytes holds this key.
    func isKey(_ key: String, in trailer: UnsafeRawBufferPointer) -> Bool {
        trailer.dropFirst(metadataLength).prefix(keyLength).elementsEqual(key.utf8)
    }

    /// The key in what follows the bytes; nil when it is no text.
    func key(in trailer: UnsafeRawBufferPointer) -> String? {
        String(validating: trailer.dropFirst(metadataLength).prefix(keyLength), as: UTF8.self)
    }

    /// What follows the bytes in the file of a blob; nil for metadata or a key of 4 GB or more.
    static func trailer(bodyLength: Int, bodyHash: UInt64, metadata: Data, key: String) -> Data? {
        guard let metadataLength = UInt32(exactly: metadata.count), let keyLength = UInt32(exactly: key.utf8.count),
            let bodyLength = UInt64(exactly: bodyLength)
        else { return nil }
        var trailer = Data(capacity: metadata.count + key.utf8.count + footerSize)
        trailer.append(metadata)
        trailer.append(contentsOf: key.utf8)
        trailer.append(integer: bodyLength)
        trailer.append(integer: metadataLength)
        trailer.append(integer: keyLength)
        let checksum = trailer.withUnsafeBytes { magpie_xxh3_64bits_with_seed($0.baseAddress, $0.count, bodyHash) }
        trailer.append(integer: checksum)
        trailer.append(contentsOf: magic)
        return trailer
    }
}

extension Data {
    fileprivate mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }
}
