#if WebP
import Foundation
import MagpieImage

/// Puts WebP files together, chunk by chunk (RFC 9649).
enum WebPBytes {
    /// An animation of one pixel, and behind it chunks that nobody knows.
    static func animation(frames: Int, otherChunks: Int = 0) throws -> Data {
        // Behind "RIFF", a size and "WEBP", a simple file is the chunk that a frame holds.
        let picture = try Pictures.file(Pictures.gradient(width: 1, height: 1), .webp).dropFirst(12)
        let control = chunk("VP8X", Data([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])) + chunk("ANIM", Data(count: 6))
        let frame = chunk("ANMF", Data(count: 16) + picture)
        let other = chunk("none", Data())
        let chunks =
            control + Data(repeatElement(frame, count: frames).joined())
            + Data(repeatElement(other, count: otherChunks).joined())
        return Data("RIFF".utf8) + number(4 + chunks.count) + Data("WEBP".utf8) + chunks
    }

    private static func chunk(_ name: String, _ content: Data) -> Data {
        Data(name.utf8) + number(content.count) + content + Data(count: content.count % 2)
    }

    private static func number(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) }
    }
}
#endif
