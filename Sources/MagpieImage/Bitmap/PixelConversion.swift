/// Rewrites pixels from one format into another; what their numbers mean as colours does not change.
enum PixelConversion {
    /// Converts pixels; source and target may be the same memory, but must not overlap otherwise.
    static func convert(
        _ source: UnsafeRawPointer,
        _ format: PixelFormat,
        to target: UnsafeMutableRawPointer,
        _ targetFormat: PixelFormat,
        count: Int
    ) {
        switch (format, targetFormat) {
        case (.rgba8, .rgba8), (.bgra8, .bgra8), (.rgba16, .rgba16):
            if source != UnsafeRawPointer(target) {
                target.copyMemory(from: source, byteCount: count * format.bytesPerPixel)
            }
        case (.rgba8, .bgra8), (.bgra8, .rgba8):
            exchangeRedAndBlue(source, target, count)
        case (.rgba8, .rgba16):
            widen(source, target, count)
        case (.rgba16, .rgba8):
            narrow(source, target, count)
        case (.bgra8, .rgba16):
            widen(source, target, count) { SIMD4($0.z, $0.y, $0.x, $0.w) }
        case (.rgba16, .bgra8):
            narrow(source, target, count)
            exchangeRedAndBlue(target, target, count)
        }
    }

    /// 16 bits of a channel rounded to 8: `value / 257`.
    static func narrowed(_ value: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(value) &* 255 &+ 32895) >> 16)
    }

    private static func exchangeRedAndBlue(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        let from = source.assumingMemoryBound(to: UInt32.self)
        let to = target.assumingMemoryBound(to: UInt32.self)
        for index in 0..<count {
            let pixel = UInt32(littleEndian: from[index])
            let exchanged = pixel & 0xFF00_FF00 | pixel << 16 & 0xFF_0000 | pixel >> 16 & 0xFF
            to[index] = UInt32(littleEndian: exchanged)
        }
    }

    /// Backwards, so that it may be done in place.
    private static func widen(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ count: Int,
        ordered: (SIMD4<UInt16>) -> SIMD4<UInt16> = { $0 }
    ) {
        let from = source.assumingMemoryBound(to: SIMD4<UInt8>.self)
        let to = target.assumingMemoryBound(to: SIMD4<UInt16>.self)
        for index in stride(from: count - 1, through: 0, by: -1) {
            to[index] = ordered(SIMD4<UInt16>(truncatingIfNeeded: from[index]) &* 257)
        }
    }

    private static func narrow(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
        let from = source.assumingMemoryBound(to: UInt16.self)
        let to = target.assumingMemoryBound(to: UInt8.self)
        for index in 0..<(4 * count) {
            to[index] = narrowed(from[index])
        }
    }
}
