import CLCMS
import Foundation

/// Colours that an ICC profile describes, converted with Little CMS.
///
/// `@unchecked Sendable`: the transform is made without Little CMS's memory of the last pixel, and only read from then on.
final class ICCConversion: ColorConversion, @unchecked Sendable {
    /// Values of a channel that are tried, to find out whether a profile is no other than sRGB's.
    private static let samples: [UInt8] = [0, 1, 16, 64, 128, 192, 240, 255]

    private let transform: cmsHTRANSFORM
    private let format: PixelFormat
    private let isInk: Bool

    /// - Parameters:
    ///   - profile: The profile; nil comes of one that is broken, or of another device than RGB, gray or CMYK.
    ///   - format: ``PixelFormat/rgba8`` or ``PixelFormat/rgba16``: of gray, red is read, and of CMYK the four channels are
    ///     cyan, magenta, yellow and black.
    ///   - isInkInverted: Whether 0 stands for the most ink.
    init?(profile: Data, format: PixelFormat, isInkInverted: Bool = false) {
        let opened = profile.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32(clamping: $0.count)) }
        guard let opened else { return nil }
        defer { cmsCloseProfile(opened) }
        guard let sRGB = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(sRGB) }
        let bytes = UInt32(format.bytesPerPixel / 4)
        let layout: UInt32
        switch cmsGetColorSpace(opened) {
        case cmsSigRgbData: layout = magpie_lcms_layout(UInt32(PT_RGB), 3, 1, bytes, 0)
        case cmsSigGrayData: layout = magpie_lcms_layout(UInt32(PT_GRAY), 1, 3, bytes, 0)
        case cmsSigCmykData: layout = magpie_lcms_layout(UInt32(PT_CMYK), 4, 0, bytes, isInkInverted ? 1 : 0)
        default: return nil
        }
        let transform = cmsCreateTransform(
            opened,
            layout,
            sRGB,
            magpie_lcms_layout(UInt32(PT_RGB), 3, 1, bytes, 0),
            UInt32(INTENT_PERCEPTUAL),
            UInt32(cmsFLAGS_NOCACHE)
        )
        guard let transform else { return nil }
        self.transform = transform
        self.format = format
        isInk = cmsGetColorSpace(opened) == cmsSigCmykData
    }

    deinit {
        cmsDeleteTransform(transform)
    }

    func convert(_ pixels: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(transform, pixels, pixels, UInt32(clamping: count))
        if isInk { makeOpaque(pixels, count: count) }
    }

    /// Whether colours come out as they went in, but for rounding.
    var changesNothing: Bool {
        var pixels: [UInt8] = []
        for red in Self.samples {
            for green in Self.samples {
                for blue in Self.samples { pixels += [red, green, blue, 255] }
            }
        }
        var converted = pixels
        let count = pixels.count / 4
        if format.isDeep { converted += pixels }
        return converted.withUnsafeMutableBytes { converted in
            guard let memory = converted.baseAddress else { return false }
            PixelConversion.convert(memory, .rgba8, to: memory, format, count: count)
            convert(memory, count: count)
            PixelConversion.convert(memory, format, to: memory, .rgba8, count: count)
            return zip(pixels, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        }
    }

    /// Where black ink was, alpha is.
    private func makeOpaque(_ pixels: UnsafeMutableRawPointer, count: Int) {
        if format.isDeep {
            let channels = pixels.assumingMemoryBound(to: UInt16.self)
            for index in 0..<count { channels[4 * index + 3] = UInt16.max }
        } else {
            let channels = pixels.assumingMemoryBound(to: UInt8.self)
            for index in 0..<count { channels[4 * index + 3] = UInt8.max }
        }
    }
}
