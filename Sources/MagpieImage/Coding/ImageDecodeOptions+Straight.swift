/// Pictures that a codec has decoded as a whole.
extension ImageDecodeOptions {
    /// Makes what is asked for of straight RGBA rows, in place where they need neither be scaled nor turned.
    ///
    /// - Parameters:
    ///   - buffer: The rows, at the stored size or at one that the codec has scaled them to.
    ///   - rows: How many of them there are.
    ///   - info: The header.
    ///   - colorSpace: What the numbers mean.
    ///   - missing: The share that is missing; nil for a whole picture.
    func image(
        ofStraight buffer: consuming BitmapBuffer,
        rows: Int,
        info: ImageInfo,
        colorSpace: ColorSpace,
        missing: Double? = nil
    ) throws(ImageCodingError) -> DecodedImage {
        let size = PixelSize(width: buffer.width, height: buffer.height)
        let target = storedTarget(for: info.storedSize, orientation: info.orientation)
        if size == target, info.orientation == .up, missing == nil {
            if info.hasAlpha, alpha == .premultiplied {
                buffer.withUnsafeMutableBytes { Premultiplication.apply($0) }
                buffer.alpha = .premultiplied
            }
            return DecodedImage(bitmap: buffer.finish(colorSpace: colorSpace), info: info)
        }
        var sink = try RowSink(source: size, target: target, info: info, options: self)
        sink.append(buffer, rows: rows)
        return DecodedImage(bitmap: sink.finish(colorSpace: colorSpace), info: info, missingFraction: missing)
    }
}
