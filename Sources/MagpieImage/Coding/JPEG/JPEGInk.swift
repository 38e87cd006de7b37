import Foundation

/// Makes colours of CMYK: by the file's profile where that is wanted and fits, else plainly.
struct JPEGInk {
    private let isInverted: Bool
    private let conversion: (any ColorConversion)?

    init(_ header: JPEGHeader, options: ImageDecodeOptions) {
        isInverted = header.isInkInverted
        guard options.colorConversion == .sRGB, let profile = header.profile, ICCProfile.device(of: profile) == .cmyk,
            case .conversion(let found) = SRGBConversions.find(
                .icc(profile),
                format: .rgba8,
                isInkInverted: header.isInkInverted
            )
        else {
            conversion = nil
            return
        }
        conversion = found
    }

    /// What the colours mean.
    var colorSpace: ColorSpace { conversion == nil ? .unknown : .sRGB }

    /// CMYK to RGBA in place.
    ///
    /// Adobe stores ink inverted, so that 255 is no ink.
    func convert(_ row: UnsafeMutablePointer<UInt8>, width: Int) {
        if let conversion { return conversion.convert(row, count: width) }
        let flip: UInt8 = isInverted ? 0 : 255
        for at in stride(from: 0, to: width * 4, by: 4) {
            let key = UInt32(row[at + 3] ^ flip)
            for channel in at..<(at + 3) {
                row[channel] = UInt8(truncatingIfNeeded: (UInt32(row[channel] ^ flip) * key + 127) / 255)
            }
            row[at + 3] = 255
        }
    }
}
