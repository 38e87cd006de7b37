import Foundation
import MagpieImage

/// Small pictures of the tests' own making.
enum TestPicture {
    static func encoded(width: Int, height: Int, as format: ImageFormat = .png) throws -> Data {
        var buffer = try BitmapBuffer(width: width, height: height, alpha: .opaque)
        buffer.withUnsafeMutableBytes { bytes in
            for pixel in 0..<(bytes.count / 4) {
                bytes[pixel * 4] = UInt8(truncatingIfNeeded: pixel % width)
                bytes[pixel * 4 + 1] = UInt8(truncatingIfNeeded: pixel / width)
                bytes[pixel * 4 + 3] = 255
            }
        }
        return try ImageCoders.shared.encode(buffer.finish(), as: format)
    }

    /// The first bytes of a PNG that claims a size (PNG §5.2, §11.2.1).
    static func pngHeader(width: UInt32, height: UInt32) -> Data {
        var chunk = Data("IHDR".utf8)
        for side in [width, height] { withUnsafeBytes(of: side.bigEndian) { chunk.append(contentsOf: $0) } }
        chunk.append(contentsOf: [8, 6, 0, 0, 0])
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + chunk
        withUnsafeBytes(of: checksum(chunk).bigEndian) { file.append(contentsOf: $0) }
        return file
    }

    /// CRC-32 as PNG uses it (PNG Annex D).
    private static func checksum(_ data: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
