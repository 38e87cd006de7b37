/// How a source colour and what is below it make one colour (W3C Compositing and Blending Level 1).
///
/// The raw values are those of `CGBlendMode`, which are part of transformer keys.
public enum BlendMode: Int, Sendable, Hashable, CaseIterable {
    /// The source over what is below.
    case normal = 0
    /// The product, which is darker.
    case multiply = 1
    /// The complement of the product of complements, which is lighter.
    case screen = 2
    /// Multiplies dark places below and screens light ones.
    case overlay = 3
    /// The darker of each channel.
    case darken = 4
    /// The lighter of each channel.
    case lighten = 5
    /// Brightens what is below, to reflect the source.
    case colorDodge = 6
    /// Darkens what is below, to reflect the source.
    case colorBurn = 7
    /// Darkens or lightens gently, depending on the source.
    case softLight = 8
    /// Multiplies or screens, depending on the source.
    case hardLight = 9
    /// The difference of each channel.
    case difference = 10
    /// Like the difference, with less contrast.
    case exclusion = 11
    /// The source's hue with saturation and luminosity from below.
    case hue = 12
    /// The source's saturation with hue and luminosity from below.
    case saturation = 13
    /// The source's hue and saturation with luminosity from below.
    case color = 14
    /// The source's luminosity with hue and saturation from below.
    case luminosity = 15
    /// Nothing.
    case clear = 16
    /// The source alone.
    case copy = 17
    /// The source where there is something below.
    case sourceIn = 18
    /// The source where there is nothing below.
    case sourceOut = 19
    /// The source over what is below, and only there.
    case sourceAtop = 20
    /// What is below, over the source.
    case destinationOver = 21
    /// What is below, where the source is.
    case destinationIn = 22
    /// What is below, where the source is not.
    case destinationOut = 23
    /// What is below over the source, and only where the source is.
    case destinationAtop = 24
    /// Each where the other is not.
    case xor = 25
    /// The sum of darkness.
    case plusDarker = 26
    /// The sum of light.
    case plusLighter = 27

    /// Makes one premultiplied colour (red, green, blue, alpha; 0…1) of two; the result may lie a little outside of 0…1.
    func blend(_ source: SIMD4<Float>, over below: SIMD4<Float>) -> SIMD4<Float> {
        if let (sourceShare, belowShare) = shares(source.w, below.w) {
            return source * sourceShare + below * belowShare
        }
        if self == .plusDarker {
            let alpha = min(1, source.w + below.w)
            var result = SIMD4<Float>(repeating: alpha) - ((source.w - source) + (below.w - below))
            result.w = alpha
            return result
        }
        let mixed = mix(source / max(source.w, .leastNormalMagnitude), below / max(below.w, .leastNormalMagnitude))
        var result = source * (1 - below.w) + below * (1 - source.w) + mixed * (source.w * below.w)
        result.w = source.w + below.w - source.w * below.w
        return result
    }

    /// How much of the source and of what is below is kept; nil for a mode that mixes colours (§9.1, after Porter and Duff).
    private func shares(_ source: Float, _ below: Float) -> (Float, Float)? {
        switch self {
        case .normal: (1, 1 - source)
        case .clear: (0, 0)
        case .copy: (1, 0)
        case .sourceIn: (below, 0)
        case .sourceOut: (1 - below, 0)
        case .sourceAtop: (below, 1 - source)
        case .destinationOver: (1 - below, 1)
        case .destinationIn: (0, source)
        case .destinationOut: (0, 1 - source)
        case .destinationAtop: (1 - below, source)
        case .xor: (1 - below, 1 - source)
        case .plusLighter: (1, 1)
        default: nil
        }
    }

    /// The mixed colour of two that are not premultiplied (§10).
    private func mix(_ source: SIMD4<Float>, _ below: SIMD4<Float>) -> SIMD4<Float> {
        switch self {
        case .hue: source.saturated(below.saturation).withLuminosity(of: below)
        case .saturation: below.saturated(source.saturation).withLuminosity(of: below)
        case .color: source.withLuminosity(of: below)
        case .luminosity: below.withLuminosity(of: source)
        default:
            SIMD4(mix(source.x, below.x), mix(source.y, below.y), mix(source.z, below.z), 0)
        }
    }

    private func mix(_ source: Float, _ below: Float) -> Float {
        switch self {
        case .multiply: source * below
        case .screen: source + below - source * below
        case .overlay: Self.hardLight.mix(below, source)
        case .darken: min(source, below)
        case .lighten: max(source, below)
        case .colorDodge: below <= 0 ? 0 : source >= 1 ? 1 : min(1, below / (1 - source))
        case .colorBurn: below >= 1 ? 1 : source <= 0 ? 0 : 1 - min(1, (1 - below) / source)
        case .hardLight: source <= 0.5 ? 2 * source * below : Self.screen.mix(2 * source - 1, below)
        case .softLight: Self.softLight(source, below)
        case .difference: abs(source - below)
        case .exclusion: source + below - 2 * source * below
        default: source
        }
    }

    private static func softLight(_ source: Float, _ below: Float) -> Float {
        if source <= 0.5 { return below - (1 - 2 * source) * below * (1 - below) }
        let lifted = below <= 0.25 ? ((16 * below - 12) * below + 4) * below : below.squareRoot()
        return below + (2 * source - 1) * (lifted - below)
    }
}

// The functions Lum, Sat, SetLum, SetSat and ClipColor of §10.2; the fourth lane is left alone.
extension SIMD4<Float> {
    fileprivate var luminosity: Float { 0.3 * x + 0.59 * y + 0.11 * z }

    fileprivate var saturation: Float { Swift.max(x, y, z) - Swift.min(x, y, z) }

    /// This colour with another saturation.
    fileprivate func saturated(_ wanted: Float) -> SIMD4<Float> {
        let (lowest, own) = (Swift.min(x, y, z), saturation)
        return own > 0 ? (self - lowest) * (wanted / own) : .zero
    }

    /// This colour with the luminosity of another, brought back into 0…1.
    fileprivate func withLuminosity(of other: SIMD4<Float>) -> SIMD4<Float> {
        let result = self + (other.luminosity - luminosity)
        let light = result.luminosity
        let (lowest, highest) = (Swift.min(result.x, result.y, result.z), Swift.max(result.x, result.y, result.z))
        if lowest < 0 { return light + (result - light) * (light / (light - lowest)) }
        if highest > 1 { return light + (result - light) * ((1 - light) / (highest - light)) }
        return result
    }
}
