public import Foundation

/// What the numbers of a bitmap mean as colours.
public enum ColorSpace: Sendable, Hashable {
    /// IEC 61966-2-1, which is also what an untagged picture is taken for.
    case sRGB
    /// The space of these code points of ITU-T H.273 (CICP): numbers for colour primaries and for the transfer
    /// characteristics, as PNG's cICP chunk, AVIF and HEIC store them.
    case cicp(primaries: Int, transfer: Int)
    /// Not known, such as after the plain conversion of CMYK to RGB with no profile.
    case unknown
    /// The space that this ICC profile (ICC.1) of an RGB device describes; the numbers are as the file stored them.
    case icc(Data)

    /// Whether it is one of high dynamic range: PQ or HLG.
    var isHighDynamicRange: Bool {
        if case .cicp(_, let transfer) = self { transfer == 16 || transfer == 18 } else { false }
    }
}
