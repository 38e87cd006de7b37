import Foundation

/// Takes PNG files apart and puts them together, chunk by chunk.
enum PNGBytes {
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    static func chunk(_ type: String, _ content: Data) -> Data {
        let body = Data(type.utf8) + content
        return number(UInt32(content.count)) + body + number(checksum(body))
    }

    /// A signature and an IHDR chunk, and no pixels.
    static func header(width: UInt32, height: UInt32) -> Data {
        signature + chunk("IHDR", number(width) + number(height) + Data([8, 2, 0, 0, 0])) + chunk("IDAT", Data([0x78]))
    }

    /// The file with a chunk put behind its IHDR.
    static func inserting(_ chunk: Data, into file: Data) -> Data {
        file.prefix(33) + chunk + file.dropFirst(33)
    }

    static func number(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    private static func checksum(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
