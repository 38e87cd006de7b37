import Foundation

/// Pictures of high dynamic range, brought into the range of sRGB.
///
/// Light up to 1000 cd/m² is mapped to a display whose white is 203 cd/m², the reference white of ITU-R BT.2408, by the curve
/// of ITU-R BT.2390 §5.4 (a straight line, then a Hermite spline, in PQ). The curve is read at the brightest of the three
/// channels, and all three are darkened alike, so that hues stay. What is outside of sRGB's gamut is clipped.
struct ToneMapping: ColorConversion {
    /// Of the brightest light that is told apart, and of a display's white; candela per square metre.
    private static let (peak, white) = (1000.0, 203.0)
    /// Entries of the tables that are read between entries.
    private static let steps = 4096

    /// Light of every 16-bit number, 1 being ``white``.
    private let light: [Float]
    /// What brings the three channels to sRGB's primaries.
    private let matrix: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    /// By how much to darken, by the square root of the brightest channel, 0 to ``peak``.
    private let gains: [Float]
    /// The 16-bit number of sRGB, by the square root of light.
    private let numbers: [Float]
    private let isHLG: Bool

    init(primaries: Chromaticities, transfer: HDRTransfer) {
        let columns = primaries.toLinearSRGB.map { SIMD4(SIMD3<Float>($0), 0) }
        matrix = (columns[0], columns[1], columns[2])
        isHLG = transfer == .hlg
        light = (0...65535).map { Float(transfer.light(Double($0) / 65535) / Self.white) }
        gains = (0...Self.steps).map { step in
            let root = Double(max(step, 1)) / Double(Self.steps)
            let brightest = root * root * Self.peak
            return Float(Self.mapped(brightest) / brightest)
        }
        numbers = (0...Self.steps).map { step in
            let root = Double(step) / Double(Self.steps)
            return Float(65535 * TransferCurve.sRGB(fromLinear: root * root))
        }
    }

    /// BT.2390 §5.4.1 with a black of 0 on both sides.
    private static func mapped(_ light: Double) -> Double {
        let top = HDRTransfer.pqValue(peak)
        let most = HDRTransfer.pqValue(white) / top
        let knee = 1.5 * most - 0.5
        let value = HDRTransfer.pqValue(light) / top
        if value < knee { return light }
        let t = (value - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
        return HDRTransfer.pqLight(bent * top)
    }

    /// Converts pixels of ``PixelFormat/rgba16``.
    func convert(_ pixels: UnsafeMutableRawPointer, count: Int) {
        let pixels = pixels.assumingMemoryBound(to: SIMD4<UInt16>.self)
        let range = Float(Self.peak / Self.white)
        for index in 0..<count {
            let stored = pixels[index]
            var color = SIMD4(light[Int(stored.x)], light[Int(stored.y)], light[Int(stored.z)], 0)
            if isHLG { color *= systemGain(color) }
            color = matrix.0 * color.x + matrix.1 * color.y + matrix.2 * color.z
            color.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: range))
            color *= Self.read(gains, at: color.max() / range)
            pixels[index] = SIMD4(
                UInt16(Self.read(numbers, at: color.x).rounded()),
                UInt16(Self.read(numbers, at: color.y).rounded()),
                UInt16(Self.read(numbers, at: color.z).rounded()),
                stored.w
            )
        }
    }

    /// BT.2100 table 5, the OOTF of HLG for a display of 1000 cd/m²: the luminance to the power of 0.2.
    private func systemGain(_ scene: SIMD4<Float>) -> Float {
        let luminance = (scene * SIMD4(0.2627, 0.6780, 0.0593, 0)).sum() * Float(Self.white / Self.peak)
        return luminance > 0 ? pow(luminance, 0.2) : 0
    }

    /// A table's value at the square root of a number 0…1.
    private static func read(_ table: [Float], at value: Float) -> Float {
        let place = min(max(value, 0), 1).squareRoot() * Float(steps)
        let index = min(Int(place), steps - 1)
        let rest = place - Float(index)
        return table[index] * (1 - rest) + table[index + 1] * rest
    }
}
