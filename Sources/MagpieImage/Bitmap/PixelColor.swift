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
}
