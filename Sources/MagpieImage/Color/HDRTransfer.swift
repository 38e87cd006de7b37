import Foundation

/// A transfer curve of high dynamic range (ITU-R BT.2100), by its number in ITU-T H.273.
enum HDRTransfer: Int, Sendable {
    /// The perceptual quantiser, SMPTE ST 2084.
    case pq = 16
    /// Hybrid log-gamma, ARIB STD-B67.
    case hlg = 18

    /// The light, in candela per square metre, of a display of 1000 for the number 0…1 of a channel.
    ///
    /// HLG's is that before the system gamma, which depends on all channels.
    func light(_ value: Double) -> Double {
        switch self {
        case .pq: Self.pqLight(value)
        case .hlg: 1000 * Self.hlgScene(value)
        }
    }

    /// BT.2100 table 4, the EOTF of PQ.
    static func pqLight(_ value: Double) -> Double {
        let power = pow(max(0, value), 32 / 2523)
        return 10000 * pow(max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power), 16384 / 2610)
    }

    /// BT.2100 table 4, the inverse of the EOTF of PQ.
    static func pqValue(_ light: Double) -> Double {
        let power = pow(max(0, light) / 10000, 2610 / 16384)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 2523 / 32)
    }

    /// BT.2100 table 5, the inverse of the OETF of HLG, 0…1.
    private static func hlgScene(_ value: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }
}
