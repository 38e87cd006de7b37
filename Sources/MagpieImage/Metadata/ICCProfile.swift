import Foundation

/// Reads the little of an ICC profile's header (ICC.1:2022 §7.2) that decides whether the profile fits a picture.
enum ICCProfile {
    /// What a profile describes, as far as pictures have it.
    enum Device: Sendable {
        case rgb, gray, cmyk
    }

    /// The device that a profile is for; nil where it is none of these, or no profile.
    static func device(of profile: Data) -> Device? {
        profile.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            guard reader.has("acsp", at: 36) else { return nil }
            if reader.has("RGB ", at: 16) { return .rgb }
            if reader.has("GRAY", at: 16) { return .gray }
            return reader.has("CMYK", at: 16) ? .cmyk : nil
        }
    }

    /// The colour space of rows of RGB, gray ones among them, whose file carries this profile.
    ///
    /// A profile of CMYK says nothing about the RGB that was made of it; a broken one says nothing at all.
    static func colorSpace(ofRGB profile: Data?) -> ColorSpace {
        guard let profile else { return .sRGB }
        let device = device(of: profile)
        return device == .rgb || device == .gray ? .icc(profile) : .unknown
    }
}
