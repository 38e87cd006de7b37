import Foundation

/// What the chunks of a PNG say of its colours, beside an ICC profile (PNG, third edition, §11.3.2).
struct PNGColors {
    /// The chunks that say it.
    static let names: [StaticString] = ["cICP", "sRGB", "gAMA", "cHRM"]

    /// The exponent of a file whose gAMA chunk means sRGB's curve, and how far off it may be.
    private static let (usualGamma, gammaTolerance) = (1 / 2.2, 0.02)

    /// The space of the cICP chunk.
    private(set) var codePoints: ColorSpace?
    private var isSRGB = false
    private var gamma: Double?
    private var chromaticities: Chromaticities?

    /// Reads one of ``names``; nonsense counts as nothing.
    mutating func read(_ chunk: PNGChunk, _ content: ByteReader) {
        if chunk.has("cICP") {
            // Only RGB is allowed.
            guard let primaries = content.byte(0), let transfer = content.byte(1), content.byte(2) == 0 else { return }
            codePoints = .cicp(primaries: Int(primaries), transfer: Int(transfer))
        } else if chunk.has("sRGB") {
            isSRGB = true
        } else if chunk.has("gAMA") {
            guard let value = content.bigEndian32(0), (1000...1_000_000).contains(value) else { return }
            gamma = Double(value) / 100_000
        } else if chunk.has("cHRM") {
            let values = (0..<8).compactMap { content.bigEndian32(4 * $0).map { Double($0) / 100_000 } }
            guard values.count == 8, values.allSatisfy({ $0 > 0 && $0 < 1 }) else { return }
            chromaticities = Chromaticities(
                red: [values[2], values[3]],
                green: [values[4], values[5]],
                blue: [values[6], values[7]],
                white: [values[0], values[1]]
            )
        }
    }

    /// What the numbers mean, by the order of precedence of the standard: cICP, iCCP, sRGB, then gAMA and cHRM.
    func colorSpace(profile: Data?) -> ColorSpace {
        if let codePoints { return codePoints }
        if let profile { return ICCProfile.colorSpace(ofRGB: profile) }
        let curve = gamma.flatMap {
            abs($0 - Self.usualGamma) < Self.gammaTolerance ? nil : TransferCurve.gamma(1 / $0)
        }
        let colors = chromaticities.flatMap { $0.isClose(to: .sRGB) ? nil : $0 }
        if isSRGB || curve == nil && colors == nil { return .sRGB }
        return RGBProfile.data(colors ?? .sRGB, curve ?? .sRGB).map(ColorSpace.icc) ?? .unknown
    }
}
