/// Gives the rows of a picture, scaled already, the colours, the alpha and the pixel format that were asked for.
struct RowFinisher: Sendable {
    /// The format of the rows that come; RGBA, of as many bits as the more of the file's and the result's.
    let workingFormat: PixelFormat
    /// The format to give them.
    let finalFormat: PixelFormat
    /// What alpha shall mean.
    let alpha: AlphaMode
    /// What the numbers shall mean as colours.
    let colorSpace: ColorSpace
    private let isPremultiplied: Bool
    private let conversion: (any ColorConversion)?

    /// - Parameters:
    ///   - format: That of the file's rows.
    ///   - isPremultiplied: Whether the rows, where they have alpha, come premultiplied.
    ///   - info: The header.
    ///   - options: What is asked for.
    ///   - colorSpace: What the file says that the numbers mean.
    init(
        format: PixelFormat,
        isPremultiplied: Bool,
        info: ImageInfo,
        options: ImageDecodeOptions,
        colorSpace: ColorSpace
    ) {
        let isHDR = colorSpace.isHighDynamicRange
        let keepsHDR = isHDR && options.dynamicRange == .kept
        finalFormat = keepsHDR ? .rgba16 : options.pixelFormat
        workingFormat = format.isDeep || finalFormat.isDeep || isHDR ? .rgba16 : .rgba8
        alpha = options.alphaMode(of: info)
        self.isPremultiplied = info.hasAlpha && isPremultiplied
        let meaning = Self.meaning(colorSpace, of: info)
        guard isHDR ? !keepsHDR : options.colorConversion == .sRGB else {
            self.colorSpace = Self.isGray(meaning) ? .unknown : meaning
            conversion = nil
            return
        }
        switch SRGBConversions.find(meaning, format: workingFormat) {
        case .none: (conversion, self.colorSpace) = (nil, .sRGB)
        case .conversion(let found): (conversion, self.colorSpace) = (found, .sRGB)
        case .unknown: (conversion, self.colorSpace) = (nil, .unknown)
        }
    }

    /// Whether a row of a format is finished in the memory where it came.
    func isInPlace(from format: PixelFormat) -> Bool {
        let size = workingFormat.bytesPerPixel
        return format.bytesPerPixel == size && finalFormat.bytesPerPixel == size
    }

    /// A profile of gray fits only a picture that has no colours.
    private static func meaning(_ colorSpace: ColorSpace, of info: ImageInfo) -> ColorSpace {
        isGray(colorSpace) && info.colorSpace != "gray" ? .unknown : colorSpace
    }

    private static func isGray(_ colorSpace: ColorSpace) -> Bool {
        if case .icc(let profile) = colorSpace { ICCProfile.device(of: profile) == .gray } else { false }
    }

    /// Finishes a row, which is changed on the way; `target` may be `row` where the formats are of one size.
    func finish(_ row: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        let pixels = UnsafeMutableRawBufferPointer(start: row, count: count * workingFormat.bytesPerPixel)
        var isPremultiplied = isPremultiplied
        if isPremultiplied, alpha == .straight || conversion != nil {
            Premultiplication.undo(pixels, workingFormat)
            isPremultiplied = false
        }
        conversion?.convert(row, count: count)
        if !isPremultiplied, alpha == .premultiplied { Premultiplication.apply(pixels, workingFormat) }
        PixelConversion.convert(row, workingFormat, to: target, finalFormat, count: count)
    }
}
