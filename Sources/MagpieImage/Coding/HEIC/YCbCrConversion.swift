#if HEIC
/// Luma and colour differences to red, green and blue, all of 8 bits (ITU-T H.273 §8.3), in integers of 16 fractional bits.
struct YCbCrConversion {
    private let lumaOffset: Int
    private let luma: Int
    private let crToRed: Int
    private let cbToGreen: Int
    private let crToGreen: Int
    private let cbToBlue: Int
    private let isIdentity: Bool

    /// - Parameter matrix: The code point; BT.601 for those that are not known or not said.
    init(matrix: Int, isFullRange: Bool) {
        let (kr, kb): (Double, Double) =
            switch matrix {
            case 1: (0.2126, 0.0722)
            case 9, 10: (0.2627, 0.0593)
            case 7: (0.212, 0.087)
            default: (0.299, 0.114)
            }
        let colour = isFullRange ? 1 : 255.0 / 224
        func fixed(_ factor: Double) -> Int { Int((factor * 65536).rounded()) }
        lumaOffset = isFullRange ? 0 : 16
        luma = fixed(isFullRange ? 1 : 255.0 / 219)
        crToRed = fixed(2 * (1 - kr) * colour)
        cbToBlue = fixed(2 * (1 - kb) * colour)
        cbToGreen = fixed(-2 * kb * (1 - kb) / (1 - kr - kb) * colour)
        crToGreen = fixed(-2 * kr * (1 - kr) / (1 - kr - kb) * colour)
        isIdentity = matrix == 0
    }

    func rgb(_ y: Int, _ cb: Int, _ cr: Int) -> (UInt8, UInt8, UInt8) {
        // The planes of the identity are green, blue and red.
        if isIdentity { return (Self.byte(cr << 16), Self.byte(y << 16), Self.byte(cb << 16)) }
        let light = (y - lumaOffset) * luma + 32768
        return (
            Self.byte(light + (cr - 128) * crToRed),
            Self.byte(light + (cb - 128) * cbToGreen + (cr - 128) * crToGreen),
            Self.byte(light + (cb - 128) * cbToBlue)
        )
    }

    private static func byte(_ value: Int) -> UInt8 {
        UInt8(max(0, min(255, value >> 16)))
    }
}
#endif
