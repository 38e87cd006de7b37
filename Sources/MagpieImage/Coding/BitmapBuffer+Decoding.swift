extension BitmapBuffer {
    /// Makes the picture that the options ask for of one that was decoded as a whole, straight RGBA unless said otherwise.
    ///
    /// Its own memory becomes the bitmap's where it is neither scaled nor turned nor given pixels of another size.
    /// - Parameters:
    ///   - rows: How many rows are there; nil for all. The others are transparent.
    ///   - target: The size to scale to, before the picture is turned.
    ///   - info: The header.
    ///   - options: What is asked for.
    ///   - isPremultiplied: Whether the colours are premultiplied already.
    ///   - colorSpace: What the file says that the numbers mean.
    consuming func finish(
        rows: Int? = nil,
        target: PixelSize,
        info: ImageInfo,
        options: ImageDecodeOptions,
        isPremultiplied: Bool = false,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageCodingError) -> Bitmap {
        let size = PixelSize(width: width, height: height)
        let isWhole = rows.map { $0 >= height } ?? true
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
        sink.append(self, rows: rows ?? height)
        return sink.finish()
    }
}
