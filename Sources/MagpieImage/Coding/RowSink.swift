/// What a decoder pours a picture's rows into, top to bottom, as the file stores them (RGBA, 8 bits, straight alpha).
///
/// On the way rows are premultiplied, scaled and turned as the options ask. A picture that needs none of it is written where
/// it stays; one that is scaled takes a few rows of memory beside its result.
struct RowSink: ~Copyable {
    private let source: PixelSize
    private let target: PixelSize
    private let hasAlpha: Bool
    private let undoesPremultiplication: Bool
    private let appliesPremultiplication: Bool
    private var rows: OrientedRows
    private var resampler: Resampler?
    private var sourceRow: [UInt8]
    /// How many rows have come.
    private(set) var rowsTaken = 0

    /// - Parameters:
    ///   - source: The size of the rows that come.
    ///   - target: The size to scale to, before the picture is turned.
    ///   - reduction: By how much the decoder has scaled the stored picture down already. The last row and column of such
    ///     rows may stand for less than a whole one, and the filter takes account of it.
    ///   - isPremultiplied: Whether the rows come premultiplied already.
    init(
        source: PixelSize,
        target: PixelSize,
        info: ImageInfo,
        options: ImageDecodeOptions,
        reduction: Double = 1,
        isPremultiplied: Bool = false
    ) throws(ImageCodingError) {
        guard let byteCount = BitmapBuffer.byteCount(width: target.width, height: target.height) else {
            throw .outOfMemory(bytes: Int.max)
        }
        let scales = source != target
        try options.limits.check(bytes: byteCount)
        if scales { try options.limits.check(bytes: Resampler.memory(source: source, target: target)) }
        let hasAlpha = info.hasAlpha
        let resampler =
            scales
            ? try Resampler(
                source: source,
                columns: 0..<min(Double(source.width), Double(info.visibleSize.width) / reduction),
                rows: 0..<min(Double(source.height), Double(info.visibleSize.height) / reduction),
                target: target
            ) : nil
        let rows = try OrientedRows(stored: target, orientation: info.orientation, alpha: options.alphaMode(of: info))
        self.source = source
        self.target = target
        self.hasAlpha = hasAlpha
        // Scaling mixes pixels, which is right only for premultiplied ones.
        appliesPremultiplication = hasAlpha && !isPremultiplied && (scales || options.alpha == .premultiplied)
        undoesPremultiplication = hasAlpha && (scales || isPremultiplied) && options.alpha == .straight
        self.rows = rows
        self.resampler = resampler
        sourceRow = scales ? [UInt8](repeating: 0, count: source.width * 4) : []
    }

    /// Lets the next row be written: `fill` gets memory for it, and throws where there is none.
    mutating func append<E: Error>(_ fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void) throws(E) {
        guard rowsTaken < source.height else { return }
        if sourceRow.isEmpty {
            let (applies, undoes) = (appliesPremultiplication, undoesPremultiplication)
            let count = source.width * 4
            _ = try rows.append { (row) throws(E) -> Bool in
                try fill(row)
                let pixels = UnsafeMutableRawBufferPointer(start: row, count: count)
                if applies { Premultiplication.apply(pixels) }
                if undoes { Premultiplication.undo(pixels) }
                return true
            }
        } else {
            try appendScaled(fill)
        }
        rowsTaken += 1
    }

    private mutating func appendScaled<E: Error>(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void
    ) throws(E) {
        let applies = appliesPremultiplication
        try sourceRow.withUnsafeMutableBufferPointer { (bytes) throws(E) in
            guard let row = bytes.baseAddress else { return }
            try fill(row)
            if applies { Premultiplication.apply(UnsafeMutableRawBufferPointer(bytes)) }
            resampler?.take(row)
        }
        drain()
    }

    private mutating func drain() {
        guard let resampler else { return }
        let (clamps, undoes) = (hasAlpha, undoesPremultiplication)
        while resampler.isReady {
            let width = target.width
            let wrote = rows.append { row in
                guard resampler.give(row, clampsToAlpha: clamps) else { return false }
                if undoes { Premultiplication.undo(UnsafeMutableRawBufferPointer(start: row, count: width * 4)) }
                return true
            }
            if !wrote { return }
        }
    }

    /// Takes the first rows of a picture that was decoded as a whole.
    mutating func append(_ buffer: borrowing BitmapBuffer, rows: Int) {
        guard buffer.width == source.width else { return }
        for index in 0..<min(rows, buffer.height) {
            guard let row = buffer.row(index)?.assumingMemoryBound(to: UInt8.self) else { return }
            let count = buffer.bytesPerRow
            append { target in target.update(from: row, count: count) }
        }
    }

    /// Ends the picture.
    ///
    /// Rows that did not come, and when scaling those that the filter would need them for, are transparent.
    consuming func finish(colorSpace: ColorSpace) -> Bitmap {
        rows.finish(colorSpace: colorSpace)
    }
}
