/// One colour of 8 bits a channel, not multiplied by its alpha.
public struct PixelColor: Hashable, Sendable {
    /// Red, 0…255.
    public var r: UInt8
    /// Green, 0…255.
    public var g: UInt8
    /// Blue, 0…255.
    public var b: UInt8
    /// Alpha: 0 is transparent, 255 opaque.
    public var a: UInt8

    /// Makes a colour, opaque unless said otherwise.
    public init(r: UInt8, g: UInt8, b: UInt8, a: UInt8 = 255) {
        self.r = r
        self.g = g
        self.b = b
        self.a = a
    }

    /// Opaque white.
    public static let white = PixelColor(r: 255, g: 255, b: 255)
    /// Opaque black.
    public static let black = PixelColor(r: 0, g: 0, b: 0)
    /// Transparent black.
    public static let clear = PixelColor(r: 0, g: 0, b: 0, a: 0)

    /// `#aarrggbb` in lower case, as SDWebImage writes colours in keys.
    var hexadecimal: String {
        "#" + [a, r, g, b].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Red, green and blue multiplied by alpha, and alpha; 0…255.
    var premultiplied: SIMD4<Float> {
        var color = SIMD4(Float(r), Float(g), Float(b), 255) * (Float(a) / 255)
        color.w = Float(a)
        return color
    }
}
