/// What a decoder pours a picture's rows into, top to bottom, as the file stores them (straight RGBA unless said otherwise).
///
/// On the way rows are premultiplied, scaled and turned as the options ask. A picture that needs none of it is written where
/// it stays; one that is scaled takes a few rows of memory beside its result.
struct RowSink: ~Copyable {
    private let source: PixelSize
    private let target: PixelSize
    private let sourceFormat: PixelFormat
    private let hasAlpha: Bool
    private let premultipliesFirst: Bool
    private let finisher: RowFinisher
    private var rows: OrientedRows
    private var resampler: Resampler?
    /// A row as it comes; empty where rows are written where they stay.
    private var sourceRow: [UInt8]
    /// A row as it is scaled; empty where it is finished in place.
    private var scaledRow: [UInt8]
    /// How many rows have come.
    private(set) var rowsTaken = 0

    /// - Parameters:
    ///   - source: The size of the rows that come.
    ///   - target: The size to scale to, before the picture is turned.
    ///   - reduction: By how much the decoder has scaled the stored picture down already. The last row and column of such
    ///     rows may stand for less than a whole one, and the filter takes account of it.
    ///   - format: The format of the rows that come: ``PixelFormat/rgba8``, or ``PixelFormat/rgba16`` for a file of more bits
    ///     where ``ImageDecodeOptions/wantsDeepRows(of:colorSpace:)`` says so.
    ///   - isPremultiplied: Whether the rows come premultiplied already.
    ///   - colorSpace: What the file says that their numbers mean.
    init(
        source: PixelSize,
        target: PixelSize,
        info: ImageInfo,
        options: ImageDecodeOptions,
        reduction: Double = 1,
        format: PixelFormat = .rgba8,
        isPremultiplied: Bool = false,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageCodingError) {
        let scales = source != target
        let finisher = RowFinisher(
            format: format,
            isPremultiplied: isPremultiplied || scales,
            info: info,
            options: options,
            colorSpace: colorSpace
        )
        let (workingFormat, finalFormat) = (finisher.workingFormat, finisher.finalFormat)
        try Self.checkMemory(source: source, target: target, format: finalFormat, limits: options.limits)
        let resampler =
            scales
            ? try Resampler(
                source: source,
                columns: 0..<min(Double(source.width), Double(info.visibleSize.width) / reduction),
                rows: 0..<min(Double(source.height), Double(info.visibleSize.height) / reduction),
                target: target,
                format: workingFormat
            ) : nil
        let rows = try OrientedRows(
            stored: target,
            orientation: info.orientation,
            format: finalFormat,
            alpha: finisher.alpha
        )
        self.source = source
        self.target = target
        sourceFormat = format
        hasAlpha = info.hasAlpha
        // Scaling mixes pixels, which is right only for premultiplied ones.
        premultipliesFirst = hasAlpha && !isPremultiplied && scales
        self.finisher = finisher
        self.rows = rows
        self.resampler = resampler
        let isInPlace = !scales && finisher.isInPlace(from: format)
        sourceRow = isInPlace ? [] : [UInt8](repeating: 0, count: source.width * workingFormat.bytesPerPixel)
        let finishesInPlace = !scales || workingFormat.bytesPerPixel == finalFormat.bytesPerPixel
        scaledRow = finishesInPlace ? [] : [UInt8](repeating: 0, count: target.width * workingFormat.bytesPerPixel)
    }

    private static func checkMemory(
        source: PixelSize,
        target: PixelSize,
        format: PixelFormat,
        limits: ImageLimits
    ) throws(ImageCodingError) {
        guard let bytes = BitmapBuffer.byteCount(width: target.width, height: target.height, format: format) else {
            throw .outOfMemory(bytes: Int.max)
        }
        try limits.check(bytes: bytes)
        if source != target { try limits.check(bytes: Resampler.memory(source: source, target: target)) }
    }

    /// Lets the next row be written: `fill` gets memory for it, and throws where there is none.
    ///
    /// For rows of 16 bits a channel the memory is that of `UInt16` numbers, and aligned for them.
    mutating func append<E: Error>(_ fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void) throws(E) {
        guard rowsTaken < source.height else { return }
        if sourceRow.isEmpty {
            let (finisher, width) = (finisher, source.width)
            _ = try rows.append { (row) throws(E) -> Bool in
                try fill(row)
                finisher.finish(row, into: row, count: width)
                return true
            }
        } else {
            try appendThroughRow(fill)
        }
        rowsTaken += 1
    }

    private mutating func appendThroughRow<E: Error>(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(E) -> Void
    ) throws(E) {
        let (finisher, format, width, premultiplies) = (finisher, sourceFormat, source.width, premultipliesFirst)
        try sourceRow.withUnsafeMutableBufferPointer { (bytes) throws(E) in
            guard let row = bytes.baseAddress else { return }
            try fill(row)
            PixelConversion.convert(row, format, to: row, finisher.workingFormat, count: width)
            if premultiplies { Premultiplication.apply(UnsafeMutableRawBufferPointer(bytes), finisher.workingFormat) }
            guard resampler == nil else {
                resampler?.take(row)
                return
            }
            _ = rows.append { target in
                finisher.finish(row, into: target, count: width)
                return true
            }
        }
        drain()
    }

    private mutating func drain() {
        guard let resampler else { return }
        let (finisher, clamps, width) = (finisher, hasAlpha, target.width)
        while resampler.isReady {
            let wrote = scaledRow.withUnsafeMutableBufferPointer { scaled in
                rows.append { row in
                    let working = scaled.isEmpty ? row : scaled.baseAddress ?? row
                    guard resampler.give(working, clampsToAlpha: clamps) else { return false }
                    finisher.finish(working, into: row, count: width)
                    return true
                }
            }
            if !wrote { return }
        }
    }

    /// Takes the first rows of a picture that was decoded as a whole, or of a part of it.
    mutating func append(_ buffer: borrowing BitmapBuffer, rows: Int, crop: PixelRect? = nil) {
        let part = crop ?? PixelRect(x: 0, y: 0, width: buffer.width, height: buffer.height)
        guard part.width == source.width, buffer.format == sourceFormat,
            part.clipped(to: PixelSize(width: buffer.width, height: buffer.height)) == part
        else { return }
        let (start, count) = (part.x * buffer.format.bytesPerPixel, part.width * buffer.format.bytesPerPixel)
        for index in part.y..<max(part.y, min(rows, part.y + part.height)) {
            guard let row = buffer.row(index)?.assumingMemoryBound(to: UInt8.self) else { return }
            append { target in target.update(from: row + start, count: count) }
        }
    }

    /// The picture so far; nil where there is no memory for it.
    mutating func snapshot() -> Bitmap? {
        rows.snapshot(colorSpace: finisher.colorSpace)
    }

    /// Ends the picture.
    ///
    /// Rows that did not come, and when scaling those that the filter would need them for, are transparent.
    consuming func finish() -> Bitmap {
        rows.finish(colorSpace: finisher.colorSpace)
    }
}
