/// The pictures that an icon file lists.
///
/// What the list itself says of sizes and depths is not trusted: a byte holds no more than 256 pixels, and a cursor has the
/// hot spot where an icon has the depth.
struct ICODirectory {
    /// One picture: where it lies, and how it ranks.
    struct Entry {
        let bytes: UnsafeRawBufferPointer
        let isPNG: Bool
        let pixels: Int
        let bitsPerPixel: Int
    }

    /// The largest picture, and of several the deepest.
    let best: Entry

    init(_ reader: ByteReader) throws(ImageCodingError) {
        guard let count = reader.littleEndian16(4) else { throw .truncated(.ico, decodedRows: 0, ofRows: 0) }
        var best: Entry?
        for index in 0..<count {
            guard let entry = Self.entry(reader, at: 6 + 16 * index) else { continue }
            guard let other = best, (entry.pixels, entry.bitsPerPixel) <= (other.pixels, other.bitsPerPixel) else {
                best = entry
                continue
            }
        }
        guard let best else { throw .corrupt(.ico, "none of its pictures lies inside of the file") }
        self.best = best
    }

    /// Looks at the few bytes of a picture that say its size; nil where they are not there.
    ///
    /// A picture that is cut off is ranked all the same.
    private static func entry(_ reader: ByteReader, at start: Int) -> Entry? {
        guard let stated = reader.littleEndian32(start + 8), let offset = reader.littleEndian32(start + 12),
            offset < reader.count, let bytes = reader.window(offset, min(stated, reader.count - offset))
        else { return nil }
        let picture = ByteReader(bytes)
        if picture.has([0x89, 0x50, 0x4E, 0x47]) {
            guard let width = picture.bigEndian32(16), let height = picture.bigEndian32(20),
                let depth = picture.byte(24), let type = picture.byte(25)
            else { return nil }
            let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type] ?? 1
            return Entry(bytes: bytes, isPNG: true, pixels: area(width, height), bitsPerPixel: Int(depth) * channels)
        }
        guard let header = try? BMPHeader(icon: picture) else { return nil }
        return Entry(
            bytes: bytes,
            isPNG: false,
            pixels: area(header.width, header.height),
            bitsPerPixel: header.bitsPerPixel
        )
    }

    private static func area(_ width: Int, _ height: Int) -> Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? Int.max : area
    }
}
