/// The head of a chunk of a PNG (PNG, third edition, §5.3): where it stands, what it is, how long.
struct PNGChunk {
    private static let lengthLimit = 0x7FFF_FFFF

    /// The offset of the chunk's length, its first field.
    let start: Int
    /// Bytes of content.
    let length: Int
    /// Four letters.
    let name: String

    /// nil where the head is not there as a whole, or names an impossible length.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let length = reader.bigEndian32(offset), length <= Self.lengthLimit,
            let name = reader.window(offset + 4, 4)
        else { return nil }
        start = offset
        self.length = length
        self.name = String(decoding: name, as: UTF8.self)
    }

    /// The offset of the content, behind the name.
    var content: Int { start + 8 }

    /// The offset behind the checksum.
    var end: Int { content + length + 4 }

    var isPixels: Bool { name == "IDAT" }

    var isEnd: Bool { name == "IEND" }

    /// Whether a decoder must understand it.
    var isCritical: Bool { name.utf8.first.map { $0 & 0x20 == 0 } ?? false }
}
