extension BitmapBuffer {
    /// Makes the picture that the options ask for of one that was decoded as a whole, straight RGBA unless said otherwise.
    ///
    /// Its own memory becomes the bitmap's where it is neither scaled nor turned nor given pixels of another size.
    /// - Parameters:
    ///   - rows: How many rows are there; nil for all. The others are transparent.
    ///   - crop: The part that is to be seen; nil for all.
    ///   - target: The size to scale to, before the picture is turned.
    ///   - info: The header.
    ///   - options: What is asked for.
    ///   - isPremultiplied: Whether the colours are premultiplied already.
    ///   - colorSpace: What the file says that the numbers mean.
    consuming func finish(
        rows: Int? = nil,
        crop: PixelRect? = nil,
        target: PixelSize,
        info: ImageInfo,
        options: ImageDecodeOptions,
        isPremultiplied: Bool = false,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageCodingError) -> Bitmap {
        let size = PixelSize(width: crop?.width ?? width, height: crop?.height ?? height)
        let isWhole = crop == nil && rows.map { $0 >= height } ?? true
        let finisher = RowFinisher(
            format: format,
            isPremultiplied: isPremultiplied,
            info: info,
            options: options,
            colorSpace: colorSpace
        )
        if isWhole, finisher.isInPlace(from: format), size == target, info.orientation == .up {
            for index in 0..<height {
                guard let row = row(index) else { break }
                finisher.finish(row, into: row, count: width)
            }
            (format, alpha) = (finisher.finalFormat, finisher.alpha)
            return finish(colorSpace: finisher.colorSpace)
        }
        var sink = try RowSink(
            source: size,
            target: target,
            info: info,
            options: options,
            format: format,
            isPremultiplied: isPremultiplied,
            colorSpace: colorSpace
        )
        sink.append(self, rows: rows ?? height, crop: crop)
        return sink.finish()
    }

    /// Makes what was asked for of a picture that a library decoded as a whole, as stored, and crops it.
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
        let bitmap = try finish(
            rows: rows,
            crop: info.crop,
            target: options.storedTarget(for: info.visibleSize, orientation: info.orientation),
            info: info,
            options: options,
            isPremultiplied: alpha == .premultiplied,
            colorSpace: colorSpace
        )
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }
}
