public import Foundation

extension ImageFormat {
    /// Recognises a format by content alone, whatever the file's name or media type says.
    ///
    /// Real signatures are looked for: the JPEG SOI and a marker, the eight bytes of PNG, RIFF with `WEBP`, the brands of
    /// an ISO base media file (ISO/IEC 14496-12 §4.3), an XML document whose root element is `svg`. For all formats but SVG
    /// the first 64 bytes decide, except that an `acTL` chunk may stand later in a PNG; for SVG at most 4 KiB are read.
    ///
    /// - Parameter bytes: The file, or as much of its beginning as there is so far.
    /// - Returns: nil for no known format, also where there are not enough bytes yet.
    public static func detect(_ bytes: Data) -> ImageFormat? {
        bytes.withUnsafeBytes { detect(ByteReader($0)) }
    }

    static func detect(_ reader: ByteReader) -> ImageFormat? {
        if reader.has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return hasAnimationControl(reader) ? .apng : .png
        }
        if reader.has("GIF87a") || reader.has("GIF89a") { return .gif }
        if reader.has("RIFF"), reader.has("WEBP", at: 8) { return .webp }
        if reader.has([0xFF, 0x0A]) || reader.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) {
            return .jxl
        }
        if reader.has("ftyp", at: 4) { return isoMediaFormat(reader) }
        if isTIFF(reader) { return .tiff }
        if isBitmapFile(reader) { return .bmp }
        if isIcon(reader) { return .ico }
        return ContentGuess.rootElement(of: reader) == "svg" ? .svg : nil
    }

    /// Walks the chunks up to the first `IDAT`; an `acTL` after it does not make an animation (PNG 3 §11.3.6.1).
    private static func hasAnimationControl(_ reader: ByteReader) -> Bool {
        var offset = 8
        while let length = reader.bigEndian32(offset), length <= 0x7FFF_FFFF {
            if reader.has("acTL", at: offset + 4) { return true }
            if reader.has("IDAT", at: offset + 4) { return false }
            offset += 12 + length
        }
        return false
    }

    /// The major brand decides; a general one (`mif1`, `msf1`, `miaf`) leaves it to the compatible brands.
    private static func isoMediaFormat(_ reader: ByteReader) -> ImageFormat? {
        guard let size = reader.bigEndian32(0), size >= 16 else { return nil }
        let end = min(size, reader.count, 256)
        let sequences: [StaticString] = ["msf1", "hevc", "hevx", "hevm", "hevs"]
        let isSequence = sequences.contains { reader.has($0, at: 8) }
        var general = isSequence
        for offset in [8] + Array(stride(from: 16, to: end - 3, by: 4)) {
            if reader.has("avif", at: offset) || reader.has("avis", at: offset) { return .avif }
            for brand in ["heic", "heix", "heim", "heis"] as [StaticString] where reader.has(brand, at: offset) {
                return isSequence ? .heics : .heic
            }
            general = general || reader.has("mif1", at: offset) || reader.has("msf1", at: offset)
        }
        return isSequence ? .heics : general ? .heic : nil
    }

    private static func isTIFF(_ reader: ByteReader) -> Bool {
        reader.has([0x49, 0x49, 0x2A, 0]) || reader.has([0x4D, 0x4D, 0, 0x2A])
            || reader.has([0x49, 0x49, 0x2B, 0, 8, 0]) || reader.has([0x4D, 0x4D, 0, 0x2B, 0, 8])
    }

    /// `BM` alone is too little to go by: the size of the information header must be one that exists.
    private static func isBitmapFile(_ reader: ByteReader) -> Bool {
        guard reader.has("BM"), let headerSize = reader.littleEndian32(14) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
    }

    /// Reserved word 0, type 1 (icon) or 2 (cursor), at least one entry, whose data lies behind the directory.
    private static func isIcon(_ reader: ByteReader) -> Bool {
        guard reader.has([0, 0, 1, 0]) || reader.has([0, 0, 2, 0]),
            let entries = reader.littleEndian16(4), entries > 0,
            let dataOffset = reader.littleEndian32(18)
        else { return false }
        return dataOffset >= 6 + 16 * entries
    }
}
