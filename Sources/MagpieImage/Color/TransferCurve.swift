import Foundation

/// How the numbers of an RGB space stand for light.
enum TransferCurve: Hashable, Sendable {
    /// The curve of IEC 61966-2-1.
    case sRGB
    /// Light is the number to this power.
    case gamma(Double)

    /// That of a TransferCharacteristics value of ITU-T H.273 (table 3).
    ///
    /// Those of television (BT.709, BT.601, BT.2020) are taken for sRGB's, as browsers do: that is the display they were made
    /// on. So is one that says nothing.
    init(codePoint: Int) {
        switch codePoint {
        case 4: self = .gamma(2.2)
        case 5: self = .gamma(2.8)
        case 8: self = .gamma(1)
        default: self = .sRGB
        }
    }

    /// Light of a number, both 0…1.
    static func linear(fromSRGB value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The number for light, both 0…1.
    static func sRGB(fromLinear light: Double) -> Double {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
