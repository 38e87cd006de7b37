import Foundation

/// Scales a picture to an exact size, with a Lanczos filter of three lobes on premultiplied colours.
///
/// The result always has the size that was asked for, also where that enlarges the picture.
public struct ResizeTransformer: ImageTransformer {
    /// What happens where the ratio of the sides differs.
    public enum Mode: Int, Sendable, Hashable {
        /// Stretches or squeezes the picture to the size, so that its ratio is not kept: nothing is cut off or left over.
        ///
        /// The name is SDWebImage's; what other libraries call "fill" is ``aspectFill``.
        case fill = 0
        /// Keeps the ratio and fits the whole picture inside, in the middle; what is left over is transparent.
        case fit = 1
        /// Keeps the ratio and covers the whole size; what hangs over at the sides is cut off.
        case aspectFill = 2
    }

    /// Width and height of the result in pixels.
    public let size: PixelSize
    /// What happens where the ratio of the sides differs.
    public let mode: Mode

    /// Makes the transformer; a side below 1 counts as 1.
    public init(width: Int, height: Int, mode: Mode = .fill) {
        size = PixelSize(width: max(1, width), height: max(1, height))
        self.mode = mode
    }

    /// `SDImageResizingTransformer({width,height},mode)`, with six decimals: the key that SDWebImage gives it.
    public var key: String {
        String(
            format: "SDImageResizingTransformer({%.6f,%.6f},%lu)",
            Double(size.width),
            Double(size.height),
            mode.rawValue
        )
    }

    /// Scales.
    ///
    /// A bitmap that has the size already is returned as it is.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        if bitmap.size == size { return bitmap }
        switch mode {
        case .fill:
            return try scale(bitmap, columns: nil, rows: nil, to: size)
        case .fit:
            return try fit(bitmap)
        case .aspectFill:
            let scale = max(Double(size.width) / Double(bitmap.width), Double(size.height) / Double(bitmap.height))
            return try self.scale(
                bitmap,
                columns: Self.middle(of: bitmap.width, length: Double(size.width) / scale),
                rows: Self.middle(of: bitmap.height, length: Double(size.height) / scale),
                to: size
            )
        }
    }

    private static func middle(of side: Int, length: Double) -> Range<Double> {
        let start = max(0, (Double(side) - length) / 2)
        return start..<max(start, Double(side) - start)
    }

    private func fit(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        let scale = min(Double(size.width) / Double(bitmap.width), Double(size.height) / Double(bitmap.height))
        let inner = PixelSize(
            width: min(size.width, PixelSize.side(Double(bitmap.width) * scale)),
            height: min(size.height, PixelSize.side(Double(bitmap.height) * scale))
        )
        let scaled = inner == bitmap.size ? bitmap : try self.scale(bitmap, columns: nil, rows: nil, to: inner)
        if inner == size { return scaled }
        let alpha: AlphaMode = bitmap.alpha == .straight ? .straight : .premultiplied
        let canvas = try BitmapBuffer(width: size.width, height: size.height, format: bitmap.format, alpha: alpha)
        let pixelBytes = bitmap.format.bytesPerPixel
        let (left, top) = ((size.width - inner.width) / 2, (size.height - inner.height) / 2)
        scaled.withUnsafeBytes { source in
            guard let from = source.baseAddress else { return }
            for row in 0..<inner.height {
                canvas.row(top + row)?.advanced(by: left * pixelBytes)
                    .copyMemory(from: from + row * scaled.bytesPerRow, byteCount: inner.width * pixelBytes)
            }
        }
        return canvas.finish(colorSpace: bitmap.colorSpace)
    }

    private func scale(
        _ bitmap: Bitmap,
        columns: Range<Double>?,
        rows: Range<Double>?,
        to target: PixelSize
    ) throws(ImageCodingError) -> Bitmap {
        let format = bitmap.format
        var result = try OrientedRows(stored: target, orientation: .up, format: format, alpha: bitmap.alpha)
        let resampler = try Resampler(source: bitmap.size, columns: columns, rows: rows, target: target, format: format)
        let isStraight = bitmap.alpha == .straight
        let clamps = bitmap.alpha != .opaque
        var line = [UInt8](repeating: 0, count: bitmap.bytesPerRow)
        bitmap.withUnsafeBytes { pixels in
            for row in 0..<bitmap.height {
                let start = row * bitmap.bytesPerRow
                line.withUnsafeMutableBytes { line in
                    line.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[start..<(start + line.count)]))
                    if isStraight { Premultiplication.apply(line, format) }
                }
                resampler.take(line)
                while resampler.isReady {
                    let scaled = result.append { row in
                        guard resampler.give(row, clampsToAlpha: clamps) else { return false }
                        if isStraight {
                            Premultiplication.undo(
                                .init(start: row, count: target.width * format.bytesPerPixel),
                                format
                            )
                        }
                        return true
                    }
                    if !scaled { break }
                }
            }
        }
        return result.finish(colorSpace: bitmap.colorSpace)
    }
}

extension ImageTransformer where Self == ResizeTransformer {
    /// Scales to an exact size: `.resize(width: 96, height: 96, mode: .aspectFill)`.
    public static func resize(width: Int, height: Int, mode: ResizeTransformer.Mode = .fill) -> ResizeTransformer {
        ResizeTransformer(width: width, height: height, mode: mode)
    }
}
