/// A chunk of a PNG that lies in memory (PNG, third edition, §5.3); its end may be cut off.
struct PNGChunk {
    private static let typeOffset = 4
    private static let contentOffset = 8
    private static let checksumBytes = 4

    /// Where it begins in the file.
    let offset: Int
    /// The bytes that its content has, there or not.
    private let length: Int
    private let reader: ByteReader

    /// Nil where the file has no room for a length and a type.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let length = reader.bigEndian32(offset), length <= 0x7FFF_FFFF,
            reader.window(offset + Self.typeOffset, 4) != nil
        else { return nil }
        self.reader = reader
        self.offset = offset
        self.length = length
    }

    /// Where the next chunk begins.
    var end: Int { offset + Self.contentOffset + length + Self.checksumBytes }

    /// How many bytes of the content the file lacks.
    var missing: Int { max(0, offset + Self.contentOffset + length - reader.count) }

    /// All of it, from its length to its checksum; nil where it is cut off.
    var whole: UnsafeRawBufferPointer? { reader.window(offset, end - offset) }

    /// Whether it is of a type.
    func has(_ type: StaticString) -> Bool { reader.has(type, at: offset + Self.typeOffset) }

    /// What there is of the content, without its first bytes.
    func content(from start: Int = 0) -> UnsafeRawBufferPointer? {
        reader.window(offset + Self.contentOffset + start, length - missing - start)
    }

    /// Whether the checksum is right; true where the file ends before it.
    var isIntact: Bool {
        guard let sum = reader.bigEndian32(end - Self.checksumBytes),
            let body = reader.window(offset + Self.typeOffset, 4 + length)
        else { return true }
        return PNGChunks.checksum(body) == UInt(sum)
    }
}
