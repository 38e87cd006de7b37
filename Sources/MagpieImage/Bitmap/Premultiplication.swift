/// Multiplies the colours of pixels by their alpha, or divides them again, in place.
enum Premultiplication {
    /// Multiplies, rounded to nearest.
    static func apply(_ pixels: UnsafeMutableRawBufferPointer, _ format: PixelFormat = .rgba8) {
        if format.isDeep { return applyDeep(pixels) }
        guard let words = pixels.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
        for index in 0..<(pixels.count / 4) {
            // Two channels at a time, 16 bits each. (t + t / 256) / 256 with t = v + 128 is v / 255 rounded, for every v up
            // to 255 * 255.
            let pixel = UInt32(littleEndian: words[index])
            let alpha = pixel >> 24
            let redBlue = (pixel & 0x00FF_00FF) &* alpha &+ 0x0080_0080
            let green = (pixel >> 8 & 0xFF) &* alpha &+ 0x80
            let redBlueDone = (redBlue &+ (redBlue >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
            let greenDone = (green &+ green >> 8) & 0xFF00
            words[index] = UInt32(littleEndian: redBlueDone | greenDone | pixel & 0xFF00_0000)
        }
    }

    /// Divides, rounded to nearest; where alpha is 0 the colour is 0.
    static func undo(_ pixels: UnsafeMutableRawBufferPointer, _ format: PixelFormat = .rgba8) {
        if format.isDeep { return undoDeep(pixels) }
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

    private static func applyDeep(_ pixels: UnsafeMutableRawBufferPointer) {
        guard let values = pixels.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
        for at in stride(from: 0, to: pixels.count / 2 - 3, by: 4) {
            let alpha = UInt32(values[at + 3])
            if alpha == 65535 { continue }
            for channel in at..<(at + 3) {
                values[channel] = UInt16(truncatingIfNeeded: (UInt32(values[channel]) &* alpha &+ 32767) / 65535)
            }
        }
    }

    private static func undoDeep(_ pixels: UnsafeMutableRawBufferPointer) {
        guard let values = pixels.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
        for at in stride(from: 0, to: pixels.count / 2 - 3, by: 4) {
            let alpha = UInt32(values[at + 3])
            if alpha == 65535 { continue }
            for channel in at..<(at + 3) {
                let value = alpha == 0 ? 0 : (UInt32(values[channel]) &* 65535 &+ alpha / 2) / alpha
                values[channel] = UInt16(truncatingIfNeeded: min(value, 65535))
            }
        }
    }
}
