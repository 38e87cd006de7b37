extension Bitmap {
    /// Lets a picture of ``PixelFormat/rgba8`` be changed whose colours are premultiplied, and gives the result format and
    /// alpha as this one has them.
    func withPremultipliedColors(
        _ change: (Bitmap) throws(ImageCodingError) -> Bitmap
    ) throws(ImageCodingError) -> Bitmap {
        if format != .rgba8 {
            return try converted(to: .rgba8).withPremultipliedColors(change).converted(to: format)
        }
        guard alpha == .straight else { return try change(self) }
        var copy = try BitmapBuffer(copying: self)
        copy.withUnsafeMutableBytes { Premultiplication.apply($0) }
        copy.alpha = .premultiplied
        var result = try BitmapBuffer(copying: change(copy.finish(colorSpace: colorSpace)))
        result.withUnsafeMutableBytes { Premultiplication.undo($0) }
        result.alpha = .straight
        return result.finish(colorSpace: colorSpace)
    }

    /// The picture that is seen where this one is stored in an orientation.
    func upright(from orientation: ImageOrientation) throws(ImageCodingError) -> Bitmap {
        if orientation == .up { return self }
        var rows = try OrientedRows(stored: size, orientation: orientation, format: format, alpha: alpha)
        withUnsafeBytes { pixels in
            guard let first = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in 0..<height {
                _ = rows.append { target in
                    target.update(from: first + row * bytesPerRow, count: bytesPerRow)
                    return true
                }
            }
        }
        return rows.finish(colorSpace: colorSpace)
    }
}
