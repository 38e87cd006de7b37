/// Lays rows that come in stored order down in a bitmap that is turned upright.
///
/// Upright pictures are written in place. For the others rows are gathered into strips, and each strip is turned at once,
/// so that a picture lying on its side is not written a pixel a cache line.
struct OrientedRows: ~Copyable {
    private static let mostStripRows = 16

    private let stored: PixelSize
    private let orientation: ImageOrientation
    private var buffer: BitmapBuffer
    private let stripRows: Int
    private let rowBytes: Int
    private var strip: [UInt8]
    private var rowsDone = 0

    /// - Parameters:
    ///   - stored: Size before turning.
    ///   - orientation: How to turn.
    ///   - format: That of the rows and of the bitmap.
    ///   - alpha: What the alpha of the rows means.
    init(
        stored: PixelSize,
        orientation: ImageOrientation,
        format: PixelFormat = .rgba8,
        alpha: AlphaMode
    ) throws(ImageCodingError) {
        let displayed = orientation.displayed(stored)
        self.stored = stored
        self.orientation = orientation
        buffer = try BitmapBuffer(width: displayed.width, height: displayed.height, format: format, alpha: alpha)
        stripRows = min(Self.mostStripRows, stored.height)
        rowBytes = stored.width * format.bytesPerPixel
        strip = orientation == .up ? [] : [UInt8](repeating: 0, count: stripRows * rowBytes)
    }

    /// Lets the next row be written; false from `fill` means that there is none, and nothing changes.
    mutating func append<E: Error>(_ fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Bool) throws(E) -> Bool {
        guard rowsDone < stored.height else { return false }
        if orientation == .up {
            guard let row = buffer.row(rowsDone), try fill(row.assumingMemoryBound(to: UInt8.self)) else {
                return false
            }
            rowsDone += 1
            return true
        }
        let offset = rowsDone % stripRows * rowBytes
        let filled = try strip.withUnsafeMutableBufferPointer { (bytes) throws(E) -> Bool in
            guard let base = bytes.baseAddress else { return false }
            return try fill(base + offset)
        }
        guard filled else { return false }
        rowsDone += 1
        if rowsDone % stripRows == 0 || rowsDone == stored.height { turnStrip() }
        return true
    }

    /// A copy of the picture so far; nil where there is no memory for it.
    mutating func snapshot(colorSpace: ColorSpace) -> Bitmap? {
        turnUnfinishedStrip()
        let rows = orientation == .up ? rowsDone : buffer.height
        return buffer.copy(rows: rows, alpha: alphaSoFar)?.finish(colorSpace: colorSpace)
    }

    /// Ends the picture; rows that did not come are transparent.
    consuming func finish(colorSpace: ColorSpace) -> Bitmap {
        turnUnfinishedStrip()
        buffer.alpha = alphaSoFar
        return buffer.finish(colorSpace: colorSpace)
    }

    private var alphaSoFar: AlphaMode {
        rowsDone < stored.height && buffer.alpha == .opaque ? .premultiplied : buffer.alpha
    }

    private mutating func turnUnfinishedStrip() {
        if rowsDone < stored.height, rowsDone % stripRows != 0, orientation != .up { turnStrip() }
    }

    private mutating func turnStrip() {
        if buffer.format.isDeep { turnStrip(of: UInt64.self) } else { turnStrip(of: UInt32.self) }
    }

    private mutating func turnStrip<Pixel: BitwiseCopyable>(of pixel: Pixel.Type) {
        let rows = (rowsDone - 1) % stripRows + 1
        let firstRow = rowsDone - rows
        let (origin, stepX, stepY) = placement
        let width = stored.width
        let swapsSides = orientation.swapsSides
        buffer.withUnsafeMutableBytes { target in
            strip.withUnsafeBytes { source in
                guard let to = target.baseAddress?.assumingMemoryBound(to: pixel),
                    let from = source.baseAddress?.assumingMemoryBound(to: pixel)
                else { return }
                // The loop inside runs along the target's rows.
                for outer in 0..<(swapsSides ? width : rows) {
                    for inner in 0..<(swapsSides ? rows : width) {
                        let (x, y) = swapsSides ? (outer, inner) : (inner, outer)
                        to[origin + x * stepX + (firstRow + y) * stepY] = from[y * width + x]
                    }
                }
            }
        }
    }

    /// Where the stored pixel (0, 0) goes in the target, and how far the next ones to the right and below are, in pixels.
    private var placement: (origin: Int, stepX: Int, stepY: Int) {
        let (width, height) = (stored.width, stored.height)
        switch orientation {
        case .up: return (0, 1, width)
        case .upMirrored: return (width - 1, -1, width)
        case .down: return (width * height - 1, -1, -width)
        case .downMirrored: return (width * (height - 1), 1, -width)
        case .leftMirrored: return (0, height, 1)
        case .right: return (height - 1, height, -1)
        case .rightMirrored: return (width * height - 1, -height, -1)
        case .left: return (height * (width - 1), -height, 1)
        }
    }
}
