import Foundation

/// A TIFF structure with nothing but an orientation in it.
enum EXIFBytes {
    static func orientation(_ value: Int) -> Data {
        Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0, 0, 0, 0, 0])
    }

    /// A block as a camera writes it, that says that the picture is to be turned and where it was taken.
    static func camera() -> Data {
        let image: [Entry] = [
            .text(0x010F, "Magpie Works"), .text(0x0110, "M-1"), .short(0x0112, 6), .pointer(0x8769, 1),
            .pointer(0x8825, 2),
        ]
        let camera: [Entry] = [
            .rational(0x829A, [(1, 250)]), .rational(0x829D, [(28, 10)]), .short(0x8827, 400),
            .text(0x9003, "2024:05:17 12:30:00"), .rational(0x920A, [(35, 1)]), .text(0xA434, "35mm F2.8"),
        ]
        let position: [Entry] = [
            .text(1, "N"), .rational(2, [(52, 1), (30, 1), (0, 1)]), .text(3, "W"),
            .rational(4, [(13, 1), (15, 1), (36, 1)]),
        ]
        return directories([image, camera, position])
    }

    enum Entry {
        case text(UInt16, String)
        case short(UInt16, UInt16)
        case rational(UInt16, [(UInt32, UInt32)])
        /// To the directory of this number.
        case pointer(UInt16, Int)
    }

    /// A little-endian TIFF structure of directories, of which the first is the main one.
    private static func directories(_ directories: [[Entry]]) -> Data {
        func bytes(_ value: UInt32, _ count: Int) -> Data { Data((0..<count).map { UInt8(value >> (8 * $0) & 255) }) }
        var starts: [UInt32] = [8]
        for entries in directories { starts.append((starts.last ?? 8) + UInt32(6 + 12 * entries.count)) }
        var (body, values) = (Data(), Data())
        func entry(_ tag: UInt16, _ type: UInt32, _ count: Int, _ content: Data) -> Data {
            var content = content
            if content.count > 4 {
                let place = (starts.last ?? 0) + UInt32(values.count)
                values += content
                content = bytes(place, 4)
            }
            return bytes(UInt32(tag), 2) + bytes(type, 2) + bytes(UInt32(count), 4) + content
                + Data(count: 4 - content.count)
        }
        for entries in directories {
            body += bytes(UInt32(entries.count), 2)
            for item in entries {
                switch item {
                case .text(let tag, let text): body += entry(tag, 2, text.utf8.count + 1, Data(text.utf8) + [0])
                case .short(let tag, let value): body += entry(tag, 3, 1, bytes(UInt32(value), 2))
                case .rational(let tag, let list):
                    body += entry(tag, 5, list.count, list.map { bytes($0.0, 4) + bytes($0.1, 4) }.reduce(Data(), +))
                case .pointer(let tag, let index): body += entry(tag, 4, 1, bytes(starts[index], 4))
                }
            }
            body += bytes(0, 4)
        }
        return Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]) + body + values
    }

    /// The JPEG file with the orientation in an APP1 segment.
    static func inserting(_ value: Int, intoJPEG file: Data) -> Data {
        insert(Data("Exif\0\0".utf8) + orientation(value), intoJPEG: file)
    }

    static func insert(_ content: Data, intoJPEG file: Data) -> Data {
        let length = UInt16(content.count + 2)
        return file.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + content
            + file.dropFirst(2)
    }
}
