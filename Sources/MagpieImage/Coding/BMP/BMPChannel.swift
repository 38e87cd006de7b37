/// Where a colour channel lies inside a pixel of 16 or 32 bits, as a mask says.
struct BMPChannel {
    private let mask: UInt32
    private let shift: UInt32
    private let largest: UInt32

    init(mask: UInt32) {
        self.mask = mask
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        largest = mask >> shift
    }

    /// The channel of a pixel, scaled to 0…255 and rounded; 0 for an empty mask.
    func value(of pixel: UInt32) -> UInt8 {
        let value = (pixel & mask) >> shift
        if largest == 255 || largest == 0 { return UInt8(truncatingIfNeeded: value) }
        return UInt8(truncatingIfNeeded: (UInt64(value) * 255 + UInt64(largest) / 2) / UInt64(largest))
    }
}
