/// A chunk of a PNG that lies in memory (PNG, third edition, §5.3); its end may be cut off, or yet to come.
struct PNGChunk {
    /// Of the length and the name before the content, and of the checksum behind it.
    static let frameBytes = 12
    private static let nameOffset = 4
    private static let contentOffset = 8
    private static let checksumBytes = 4
    private static let lengthLimit = 0x7FFF_FFFF
    /// The chunks that libpng needs for the pixels, beside the critical ones.
    private static let namesForPixels: [StaticString] = ["tRNS", "iCCP", "sRGB"]

    /// Where it begins in the file.
    let offset: Int
    /// The bytes that its content has, there or not.
    let length: Int
    private let reader: ByteReader

    /// Nil where there is no room for a length and a name, or where the length is an impossible one.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let length = reader.bigEndian32(offset), length <= Self.lengthLimit,
            reader.window(offset + Self.nameOffset, 4) != nil
        else { return nil }
        self.reader = reader
        self.offset = offset
        self.length = length
    }

    /// Where its content begins, behind the name.
    var contentStart: Int { offset + Self.contentOffset }

    /// Where the next chunk begins.
    var end: Int { contentStart + length + Self.checksumBytes }

    /// How many bytes of the content are not there.
    var missing: Int { max(0, contentStart + length - reader.count) }

    /// All of it, from its length to its checksum; nil where it is cut off.
    var whole: UnsafeRawBufferPointer? { reader.window(offset, end - offset) }

    /// Whether it has a name.
    func has(_ name: StaticString) -> Bool { reader.has(name, at: offset + Self.nameOffset) }

    /// Whether a decoder must understand it.
    var isCritical: Bool { reader.byte(offset + Self.nameOffset).map { $0 & 0x20 == 0 } ?? false }

    /// Whether libpng needs it to decode the pixels.
    var isForPixels: Bool { isCritical || Self.namesForPixels.contains { has($0) } }

    /// What there is of the content, without its first bytes.
    func content(from start: Int = 0) -> UnsafeRawBufferPointer? {
        reader.window(contentStart + start, length - missing - start)
    }

    /// Whether the checksum is right; true where the file ends before it.
    var isIntact: Bool {
        guard let sum = reader.bigEndian32(end - Self.checksumBytes),
            let body = reader.window(offset + Self.nameOffset, 4 + length)
        else { return true }
        return PNGChunks.checksum(body) == UInt(sum)
    }
}
