import CZlib
import Foundation

/// Compresses with zlib, piece by piece.
///
/// Confined to one thread at a time.
final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>

    /// The usual effort of zlib's programs.
    private static let level = Z_DEFAULT_COMPRESSION

    /// The usual amount of memory of zlib's programs: about 256 kB.
    private static let memoryLevel: CInt = 8

    /// Makes a compressor, or nothing where memory is short.
    init?(_ coding: HTTPContentCoding) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let windowBits: CInt = coding == .gzip ? 15 + 16 : 15
        let size = CInt(MemoryLayout<z_stream>.size)
        let code = deflateInit2_(
            stream,
            Self.level,
            Z_DEFLATED,
            windowBits,
            Self.memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        guard code == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Adds to `output` what comes out for these bytes; the rest comes with the last of them.
    func compress(_ bytes: UnsafeRawBufferPointer, isLast: Bool, into output: inout Data) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 1) { room in
            repeat {
                stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.pointee.avail_out = UInt32(clamping: room.count)
                deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                output.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
            } while stream.pointee.avail_out == 0
        }
    }
}
