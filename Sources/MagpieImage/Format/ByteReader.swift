/// Reads numbers out of bytes that somebody else wrote: every access is checked, nothing traps.
///
/// A read outside of the bytes gives nil. The reader borrows the bytes and must not outlive them.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[offset] : nil
    }

    func bigEndian16(_ offset: Int) -> Int? {
        guard let window = window(offset, 2) else { return nil }
        return Int(window[0]) << 8 | Int(window[1])
    }

    func littleEndian16(_ offset: Int) -> Int? {
        guard let window = window(offset, 2) else { return nil }
        return Int(window[1]) << 8 | Int(window[0])
    }

    func bigEndian32(_ offset: Int) -> Int? {
        guard let window = window(offset, 4) else { return nil }
        return Int(window[0]) << 24 | Int(window[1]) << 16 | Int(window[2]) << 8 | Int(window[3])
    }

    func littleEndian32(_ offset: Int) -> Int? {
        guard let window = window(offset, 4) else { return nil }
        return Int(window[3]) << 24 | Int(window[2]) << 16 | Int(window[1]) << 8 | Int(window[0])
    }

    /// Whether the ASCII text stands at the offset.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard let window = window(offset, text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { window.elementsEqual($0) }
    }

    /// Whether these bytes stand at the offset.
    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        guard let window = window(offset, expected.count) else { return false }
        return window.elementsEqual(expected)
    }

    /// The bytes from an offset on, rebased so that they count from 0; nil unless all of them are there.
    func window(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])
    }
}
