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
        let target = options.storedTarget(
            for: source,
            orientation: info.orientation,
            frameCount: info.frameCount
        )
        let isPremultiplied = alpha == .premultiplied
        guard let crop = info.crop else {
            let bitmap = try finish(
                rows: rows,
                target: target,
                info: info,
                options: options,
                isPremultiplied: isPremultiplied,
                colorSpace: colorSpace
            )
            return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
        }
        var sink = try RowSink(
            source: source,
            target: target,
            info: info,
            options: options,
            isPremultiplied: isPremultiplied,
            colorSpace: colorSpace
        )
        for index in crop.y..<max(crop.y, min(rows ?? height, crop.y + crop.height)) {
            guard let row = row(index)?.assumingMemoryBound(to: UInt8.self) else { break }
            sink.append { target in target.update(from: row + 4 * crop.x, count: 4 * crop.width) }
        }
        return DecodedImage(bitmap: sink.finish(), info: info, missingFraction: missing)
    }
}
