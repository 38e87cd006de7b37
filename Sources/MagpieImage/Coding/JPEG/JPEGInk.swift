/// The plain conversion of CMYK to RGB, without a profile.
enum JPEGInk {
    /// CMYK to RGBA in place.
    ///
    /// Adobe stores ink inverted, so that 255 is no ink.
    static func convert(_ row: UnsafeMutablePointer<UInt8>, width: Int, isInverted: Bool) {
        let flip: UInt8 = isInverted ? 0 : 255
        for at in stride(from: 0, to: width * 4, by: 4) {
            let key = UInt32(row[at + 3] ^ flip)
            for channel in at..<(at + 3) {
                row[channel] = UInt8(truncatingIfNeeded: (UInt32(row[channel] ^ flip) * key + 127) / 255)
            }
            row[at + 3] = 255
        }
    }
}
