import Foundation

/// A TIFF structure with nothing but an orientation in it.
enum EXIFBytes {
    static func orientation(_ value: Int) -> Data {
        Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0, 0, 0, 0, 0])
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
