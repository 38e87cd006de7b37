import Foundation

/// EXIF and XMP of a PNG, wherever in the file (PNG, third edition, §11.3.4.5; XMP specification, part 3, §1.1.5).
enum PNGMetadata {
    /// The keyword, and four bytes of which none is set: not compressed, no language, no translated keyword.
    private static let xmpHead = [UInt8]("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]

    static func read(_ reader: ByteReader) -> ImageMetadata {
        var (exif, xmp): (Data?, Data?)
        var offset = 8
        while let chunk = PNGChunk(reader, at: offset), !chunk.has("IEND") {
            offset = chunk.end
            guard chunk.missing == 0, let content = chunk.content() else { break }
            if chunk.has("eXIf"), exif == nil {
                exif = Data(content)
            } else if chunk.has("iTXt"), xmp == nil, ByteReader(content).has(xmpHead) {
                xmp = Data(content.dropFirst(xmpHead.count))
            }
        }
        return ImageMetadata(exif: exif, xmp: xmp)
    }
}
