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
        finalFormat = options.pixelFormat
        workingFormat = format.isDeep || finalFormat.isDeep ? .rgba16 : .rgba8
        alpha = options.alphaMode(of: info)
        self.colorSpace = colorSpace
        self.isPremultiplied = info.hasAlpha && isPremultiplied
    }

    /// Finishes a row, which is changed on the way; `target` may be `row` where the formats are of one size.
    func finish(_ row: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        let pixels = UnsafeMutableRawBufferPointer(start: row, count: count * workingFormat.bytesPerPixel)
        if isPremultiplied, alpha == .straight {
            Premultiplication.undo(pixels, workingFormat)
        } else if !isPremultiplied, alpha == .premultiplied {
            Premultiplication.apply(pixels, workingFormat)
        }
        PixelConversion.convert(row, workingFormat, to: target, finalFormat, count: count)
    }
}
