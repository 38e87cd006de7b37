import Foundation

/// Writes GIF files by hand; pixels are stored uncompressed, with a clear code before the code size would grow.
enum GIFBytes {
    struct Frame {
        var left = 0
        var top = 0
        var width = 2
        var height = 2
        var indices: [UInt8]
        var delay = 0
        var transparentIndex: UInt8?
        var isInterlaced = false
        var disposal: UInt8 = 0
    }

    /// Red, green, blue, white.
    static let palette: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]

    static func file(width: Int, height: Int, loops: Int? = nil, frames: [Frame]) -> Data {
        var bytes = Array("GIF89a".utf8) + word(width) + word(height) + [0x91, 0, 0] + palette
        if let loops {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + word(loops) + [0]
        }
        for frame in frames {
            bytes += [0x21, 0xF9, 4, frame.disposal << 2 | (frame.transparentIndex == nil ? 0 : 1)]
            bytes += word(frame.delay) + [frame.transparentIndex ?? 0, 0]
            bytes += [0x2C] + word(frame.left) + word(frame.top) + word(frame.width) + word(frame.height)
            bytes += [frame.isInterlaced ? 0x40 : 0, 2] + blocks(codes(frame.indices)) + [0]
        }
        return Data(bytes + [0x3B])
    }

    /// A still picture of 8 by 8 in two colours.
    static func checkers() -> Data {
        let indices = (0..<64).map { UInt8(($0 + $0 / 8) % 2) }
        return file(width: 8, height: 8, frames: [Frame(width: 8, height: 8, indices: indices)])
    }

    private static func word(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8)]
    }

    /// LZW codes of three bits: 4 clears, 5 ends; a clear after every two pixels keeps the size at three.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        func put(_ code: Int) {
            bits |= code << count
            count += 3
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        for (position, index) in indices.enumerated() {
            if position % 2 == 0 { put(4) }
            put(Int(index))
        }
        put(5)
        if count > 0 { bytes.append(UInt8(bits & 255)) }
        return bytes
    }

    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start -> [UInt8] in
            let part = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(part.count)] + part
        }
    }
}
