/// Coding-independent code points (ITU-T H.273): what the numbers of a picture mean as colours.
struct CICP: Hashable {
    /// 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3, 2 not said.
    let primaries: Int
    /// 13 is sRGB, 16 PQ, 18 HLG, 2 not said.
    let transfer: Int
    /// 0 is RGB, 1 BT.709, 5 and 6 BT.601, 9 BT.2020, 2 not said.
    let matrix: Int
    let isFullRange: Bool

    init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Reads the payload of a `colr` box of the type `nclx`.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let primaries = reader.bigEndian16(offset), let transfer = reader.bigEndian16(offset + 2),
            let matrix = reader.bigEndian16(offset + 4), let range = reader.byte(offset + 6)
        else { return nil }
        self.init(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
    }
}
