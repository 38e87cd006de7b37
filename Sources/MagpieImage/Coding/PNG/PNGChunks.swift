import CZlib
import Foundation

/// Puts the chunks of a PNG together (PNG, third edition, §5.3).
struct PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The file so far.
    private(set) var data = Data(signature)

    /// Adds a chunk whose content lies in several pieces.
    ///
    /// - Parameter missing: Bytes that the chunk declares and that are not there; nothing can follow it then.
    mutating func append(_ type: StaticString, _ pieces: [UnsafeRawBufferPointer], missing: Int = 0) {
        append(UInt32(truncatingIfNeeded: pieces.reduce(missing) { $0 + $1.count }))
        let body = data.count
        type.withUTF8Buffer { data.append(contentsOf: $0) }
        for piece in pieces { data.append(contentsOf: piece) }
        let sum = data.withUnsafeBytes { Self.checksum(UnsafeRawBufferPointer(rebasing: $0[body...])) }
        if missing == 0 { append(UInt32(truncatingIfNeeded: sum)) }
    }

    /// Adds a chunk.
    mutating func append(_ type: StaticString, _ content: [UInt8]) {
        content.withUnsafeBytes { append(type, [$0]) }
    }

    /// Adds a chunk as it stands in another file.
    mutating func append(whole chunk: UnsafeRawBufferPointer) {
        data.append(contentsOf: chunk)
    }

    /// The CRC of a chunk's type and content.
    static func checksum(_ body: UnsafeRawBufferPointer) -> UInt {
        crc32_z(0, body.baseAddress?.assumingMemoryBound(to: UInt8.self), body.count)
    }

    /// A number as PNG writes them, the highest byte first.
    static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }

    private mutating func append(_ number: UInt32) {
        data.append(contentsOf: Self.bytes(number))
    }
}
