/// Finds the orientation in an EXIF block (EXIF 2.32: a TIFF structure).
///
/// A block that breaks the rules anywhere on the way counts as saying nothing.
enum EXIFReader {
    private static let orientationTag = 0x0112
    private static let shortType = 3

    /// - Parameter block: The TIFF structure, with or without the `Exif` signature that JPEG puts before it.
    static func orientation(_ block: UnsafeRawBufferPointer) -> ImageOrientation? {
        var reader = ByteReader(block)
        if reader.has([0x45, 0x78, 0x69, 0x66, 0, 0]), let rest = reader.window(6, reader.count - 6) {
            reader = ByteReader(rest)
        }
        let little = reader.has([0x49, 0x49, 0x2A, 0])
        guard little || reader.has([0x4D, 0x4D, 0, 0x2A]) else { return nil }
        func short(_ offset: Int) -> Int? { little ? reader.littleEndian16(offset) : reader.bigEndian16(offset) }
        func long(_ offset: Int) -> Int? { little ? reader.littleEndian32(offset) : reader.bigEndian32(offset) }

        guard let directory = long(4), let count = short(directory) else { return nil }
        for entry in 0..<count {
            let at = directory + 2 + entry * 12
            guard let tag = short(at) else { return nil }
            if tag == orientationTag {
                guard short(at + 2) == shortType, long(at + 4) == 1, let value = short(at + 8) else { return nil }
                return ImageOrientation(rawValue: value)
            }
        }
        return nil
    }
}
