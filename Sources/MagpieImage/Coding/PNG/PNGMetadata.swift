import Foundation

/// EXIF and XMP of a PNG, wherever in the file (PNG, third edition, §11.3.4.5; XMP specification, part 3, §1.1.5).
enum PNGMetadata {
    /// The keyword, and four bytes of which none is set: not compressed, no language, no translated keyword.
    private static let xmpHead = [UInt8]("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]

    static func read(_ reader: ByteReader) -> ImageMetadata {
        var (exif, xmp): (Data?, Data?)
        var offset = 8
        while let chunk = PNGChunk(reader, at: offset), !chunk.isEnd {
            offset = chunk.end
            guard let content = reader.window(chunk.content, chunk.length) else { break }
            if chunk.name == "eXIf", exif == nil {
                exif = Data(content)
            } else if chunk.name == "iTXt", xmp == nil, ByteReader(content).has(xmpHead) {
                xmp = Data(content.dropFirst(xmpHead.count))
            }
        }
        return ImageMetadata(exif: exif, xmp: xmp)
    }
}
