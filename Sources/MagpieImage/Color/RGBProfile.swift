import CLCMS
import Foundation

/// Makes ICC profiles of RGB spaces that a file describes otherwise.
enum RGBProfile {
    /// The profile, or nil where the numbers make no sense.
    static func data(_ colors: Chromaticities, _ curve: TransferCurve) -> Data? {
        guard colors.toXYZ != nil, let tones = toneCurve(curve) else { return nil }
        defer { cmsFreeToneCurve(tones) }
        var white = place(colors.white)
        var primaries = cmsCIExyYTRIPLE(Red: place(colors.red), Green: place(colors.green), Blue: place(colors.blue))
        var curves: [OpaquePointer?] = [tones, tones, tones]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: UInt32 = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return nil }
        var data = Data(count: Int(count))
        let isSaved = data.withUnsafeMutableBytes { cmsSaveProfileToMem(profile, $0.baseAddress, &count) != 0 }
        return isSaved ? data : nil
    }

    private static func place(_ place: SIMD2<Double>) -> cmsCIExyY {
        cmsCIExyY(x: place.x, y: place.y, Y: 1)
    }

    private static func toneCurve(_ curve: TransferCurve) -> OpaquePointer? {
        switch curve {
        case .sRGB:
            // The parameters of IEC 61966-2-1: exponent, slope and offset of the power, slope of the line, where they meet.
            cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .gamma(let exponent):
            exponent.isFinite && exponent > 0 ? cmsBuildGamma(nil, exponent) : nil
        }
    }
}
