#if TIFF
import CTIFF

/// What the directory of the current page says (TIFF 6.0 §8).
struct TIFFPage {
    enum Alpha {
        case none, associated, unassociated
    }

    let width: Int
    let height: Int
    let bitsPerSample: Int
    let orientation: ImageOrientation
    let alpha: Alpha
    /// Rows that are stored, and so decoded, as one: those of a strip or of a row of tiles.
    let bandRows: Int
    /// Bytes that one strip or tile decodes to.
    let blockBytes: Int
    private let photometric: Int32

    init(_ file: TIFFFile, limits: ImageLimits) throws(ImageCodingError) {
        guard let width = file.long(TIFFTAG_IMAGEWIDTH), let height = file.long(TIFFTAG_IMAGELENGTH), width > 0,
            height > 0
        else { throw .corrupt(.tiff, "it does not say its size") }
        try limits.check(width: width, height: height)
        self.width = width
        self.height = height
        bitsPerSample = file.short(TIFFTAG_BITSPERSAMPLE) ?? 1
        orientation = file.short(TIFFTAG_ORIENTATION).flatMap(ImageOrientation.init(rawValue:)) ?? .up
        photometric = Int32(file.short(TIFFTAG_PHOTOMETRIC) ?? 0)
        alpha = Self.alpha(file, photometric: photometric)
        let isTiled = TIFFIsTiled(file.handle) != 0
        let rows = file.long(isTiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP) ?? height
        bandRows = min(max(1, rows), height)
        blockBytes = max(0, Int(isTiled ? TIFFTileSize(file.handle) : TIFFStripSize(file.handle)))
    }

    /// How colours are stored.
    var colorSpace: String {
        switch photometric {
        case PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK: "gray"
        case PHOTOMETRIC_PALETTE: "indexed"
        case PHOTOMETRIC_SEPARATED: "cmyk"
        case PHOTOMETRIC_YCBCR: "ycbcr"
        default: "rgb"
        }
    }

    /// Whether the red, green and blue of the decoded picture are other numbers than those stored.
    var isConverted: Bool { photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_CIELAB }

    /// Whether pixels are gray of 16 bits.
    var isDeepGray: Bool { bitsPerSample == 16 && colorSpace == "gray" }

    /// A fourth sample of RGB is alpha, also where its meaning is left open.
    private static func alpha(_ file: TIFFFile, photometric: Int32) -> Alpha {
        switch file.extraSamples.first.map(Int32.init) {
        case EXTRASAMPLE_ASSOCALPHA: .associated
        case EXTRASAMPLE_UNASSALPHA: .unassociated
        default:
            photometric == PHOTOMETRIC_RGB && (file.short(TIFFTAG_SAMPLESPERPIXEL) ?? 1) > 3 ? .unassociated : .none
        }
    }
}
#endif
