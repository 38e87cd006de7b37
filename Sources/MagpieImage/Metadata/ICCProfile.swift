import Foundation

/// Reads the little of an ICC profile's header (ICC.1:2022 §7.2) that decides whether the profile fits a bitmap.
enum ICCProfile {
    /// The colour space of a bitmap of RGB pixels whose file carries this profile.
    ///
    /// A profile for another device (CMYK, gray) says nothing about the RGB that was made of it; a broken one says nothing
    /// at all.
    static func colorSpace(ofRGB profile: Data?, pixelsAreConverted: Bool = false) -> ColorSpace {
        guard let profile else { return pixelsAreConverted ? .unknown : .sRGB }
        let isUsable = profile.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            return reader.has("acsp", at: 36) && reader.has("RGB ", at: 16)
        }
        return isUsable ? .icc(profile) : .unknown
    }
}
