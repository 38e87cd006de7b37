/// Lays straight RGBA pixels over others (Porter and Duff's "over"), in place.
enum AlphaBlending {
    static func lay(_ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int) {
        for index in 0..<count {
            let pixel = UInt32(littleEndian: source[index])
            switch pixel >> 24 {
            case 255: target[index] = source[index]
            case 0: continue
            case let alpha:
                let below = UInt32(littleEndian: target[index])
                target[index] = UInt32(littleEndian: blend(pixel, alpha, over: below))
            }
        }
    }

    /// Rounded to nearest; over a transparent pixel the one above keeps its colour.
    @inline(__always)
    private static func blend(_ above: UInt32, _ alpha: UInt32, over below: UInt32) -> UInt32 {
        // All in units of 1 / 255².
        let aboveWeight = alpha &* 255
        let belowWeight = (below >> 24) &* (255 &- alpha)
        let weight = aboveWeight &+ belowWeight
        func channel(_ shift: UInt32) -> UInt32 {
            let sum = (above >> shift & 0xFF) &* aboveWeight &+ (below >> shift & 0xFF) &* belowWeight
            return ((sum &+ weight / 2) / weight) << shift
        }
        return channel(0) | channel(8) | channel(16) | ((weight &+ 127) / 255) << 24
    }
}
