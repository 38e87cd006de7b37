/// The name of a box, a brand or an item: four bytes, mostly letters (ISO/IEC 14496-12 §4.2).
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

extension ByteReader {
    func fourCC(_ offset: Int) -> FourCC? {
        bigEndian32(offset).map { FourCC(rawValue: UInt32($0)) }
    }

    /// nil also for a number that no offset or length of bytes in memory can be.
    func bigEndian64(_ offset: Int) -> Int? {
        guard let high = bigEndian32(offset), let low = bigEndian32(offset + 4), high < 1 << 31 else { return nil }
        return high << 32 | low
    }
}
