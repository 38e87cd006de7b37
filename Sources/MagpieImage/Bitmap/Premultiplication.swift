/// Multiplies the colours of RGBA pixels by their alpha, or divides them again, in place.
enum Premultiplication {
    /// Multiplies, rounded to nearest.
    static func apply(_ pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for at in stride(from: 0, to: pixels.count - 3, by: 4) {
            let alpha = UInt32(bytes[at + 3])
            if alpha == 255 { continue }
            for channel in at..<(at + 3) {
                // (t + t / 256) / 256 with t = v + 128 is v / 255 rounded, for every v up to 255 * 255.
                let product = UInt32(bytes[channel]) &* alpha &+ 128
                bytes[channel] = UInt8(truncatingIfNeeded: (product &+ (product >> 8)) >> 8)
            }
        }
    }

    /// Divides, rounded to nearest; where alpha is 0 the colour is 0.
    static func undo(_ pixels: UnsafeMutableRawBufferPointer) {
        guard let bytes = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for at in stride(from: 0, to: pixels.count - 3, by: 4) {
            let alpha = UInt32(bytes[at + 3])
            if alpha == 255 { continue }
            for channel in at..<(at + 3) {
                let value = alpha == 0 ? 0 : (UInt32(bytes[channel]) &* 255 &+ alpha / 2) / alpha
                bytes[channel] = UInt8(min(value, 255))
            }
        }
    }
}
