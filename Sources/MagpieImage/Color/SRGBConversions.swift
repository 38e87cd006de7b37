import Foundation
import MagpieConcurrency

/// The conversions to sRGB, made when they are first needed and kept: making one takes longer than using it on a thumbnail.
enum SRGBConversions {
    private struct Key: Hashable {
        let colorSpace: ColorSpace
        let format: PixelFormat
        let isInkInverted: Bool
    }

    /// What is known of a colour space.
    enum Found: Sendable {
        /// Its numbers are sRGB's.
        case none
        /// It is to be converted.
        case conversion(any ColorConversion)
        /// Nothing is known of it: its profile is broken, or of a device that the picture is not for.
        case unknown
    }

    /// Pictures on a page come from a few cameras and programs.
    private static let limit = 32
    private static let known = Lock<[Key: Found]>([:])

    /// How to convert straight pixels of a format.
    ///
    /// - Parameter isInkInverted: Of CMYK, whether 0 stands for the most ink.
    static func find(_ colorSpace: ColorSpace, format: PixelFormat, isInkInverted: Bool = false) -> Found {
        if colorSpace == .sRGB { return .none }
        if colorSpace == .unknown { return .unknown }
        let key = Key(colorSpace: colorSpace, format: format, isInkInverted: isInkInverted)
        if let found = known.withLock({ $0[key] }) { return found }
        let found = make(key)
        known.withLock { known in
            if known.count >= limit { known.removeAll() }
            known[key] = found
        }
        return found
    }

    private static func make(_ key: Key) -> Found {
        switch key.colorSpace {
        case .sRGB:
            return .none
        case .unknown:
            return .unknown
        case .icc(let profile):
            return conversion(profile, key)
        case .cicp(let primaries, let transfer):
            if let curve = HDRTransfer(rawValue: transfer) {
                return .conversion(ToneMapping(primaries: Chromaticities(codePoint: primaries), transfer: curve))
            }
            let curve = TransferCurve(codePoint: transfer)
            guard let profile = RGBProfile.data(Chromaticities(codePoint: primaries), curve) else { return .unknown }
            return conversion(profile, key)
        }
    }

    private static func conversion(_ profile: Data, _ key: Key) -> Found {
        guard let made = ICCConversion(profile: profile, format: key.format, isInkInverted: key.isInkInverted) else {
            return .unknown
        }
        return made.changesNothing ? .none : .conversion(made)
    }
}
