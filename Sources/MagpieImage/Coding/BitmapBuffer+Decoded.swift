extension BitmapBuffer {
    /// Makes what was asked for of a picture that a library decoded as a whole, as stored: crops, scales, turns, and
    /// multiplies or divides by alpha.
    ///
    /// - Parameters:
    ///   - info: The header; the buffer is of its stored size.
    ///   - options: What was asked for.
    ///   - colorSpace: What the numbers mean.
    ///   - rows: How many rows from the top are there; nil for all.
    ///   - missing: See ``DecodedImage/init(bitmap:info:missingFraction:)``.
    consuming func decoded(
        _ info: ImageInfo,
        options: ImageDecodeOptions,
        colorSpace: ColorSpace,
        rows: Int? = nil,
        missing: Double? = nil
    ) throws(ImageCodingError) -> DecodedImage {
        let source = info.visibleSize
        let target = options.storedTarget(for: source, orientation: info.orientation)
        if source == target, info.orientation == .up, info.crop == nil, rows == nil {
            changeAlpha(to: options.alphaMode(of: info))
            return DecodedImage(bitmap: finish(colorSpace: colorSpace), info: info, missingFraction: missing)
        }
        let isPremultiplied = alpha == .premultiplied
        var sink = try RowSink(
            source: source,
            target: target,
            info: info,
            options: options,
            isPremultiplied: isPremultiplied
        )
        let (left, top) = (info.crop?.x ?? 0, info.crop?.y ?? 0)
        for index in top..<max(top, min(rows ?? height, top + source.height)) {
            guard let row = row(index)?.assumingMemoryBound(to: UInt8.self) else { break }
            sink.append { target in target.update(from: row + 4 * left, count: 4 * source.width) }
        }
        return DecodedImage(bitmap: sink.finish(colorSpace: colorSpace), info: info, missingFraction: missing)
    }

    private mutating func changeAlpha(to wanted: AlphaMode) {
        switch (alpha, wanted) {
        case (.straight, .premultiplied): withUnsafeMutableBytes { Premultiplication.apply($0) }
        case (.premultiplied, .straight): withUnsafeMutableBytes { Premultiplication.undo($0) }
        default: break
        }
        alpha = wanted
    }
}
