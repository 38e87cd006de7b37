import Foundation

/// Puts EXIF and XMP into a JPEG, each in an APP1 segment (CIPA DC-008 §4.7, XMP specification, part 3, §1.1.3).
enum JPEGMetadata {
    private static let segmentLimit = 65533

    static func insert(exif: Data?, xmp: Data?, into file: Data) -> Data {
        let segments =
            segment(Data("Exif\0\0".utf8), exif) + segment(Data("http://ns.adobe.com/xap/1.0/\0".utf8), xmp)
        if segments.isEmpty { return file }
        // Behind the JFIF segment, which wants to be the first.
        let start = file.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            return reader.has([0xFF, 0xE0], at: 2) ? 4 + (reader.bigEndian16(4) ?? 0) : 2
        }
        return file.prefix(start) + segments + file.dropFirst(start)
    }

    /// Empty where there is no content, or too much of it.
    private static func segment(_ name: Data, _ content: Data?) -> Data {
        guard let content, name.count + content.count <= segmentLimit else { return Data() }
        let length = name.count + content.count + 2
        return Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]) + name + content
    }
}
