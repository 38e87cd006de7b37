import Foundation

/// One decode of the best picture of an icon.
struct ICODecoding {
    private let picture: ByteReader
    private let options: ImageDecodeOptions
    /// The header of a bitmap; nil for a PNG.
    private let bitmap: BMPHeader?
    let info: ImageInfo

    init(_ reader: ByteReader, options: ImageDecodeOptions) throws(ImageCodingError) {
        let best = try ICODirectory(reader).best
        picture = ByteReader(best.bytes)
        self.options = options
        if best.isPNG {
            bitmap = nil
            let png = try PNGCoder().info(Data(best.bytes), limits: options.limits)
            info = ImageInfo(
                format: .ico,
                width: png.width,
                height: png.height,
                orientation: png.orientation,
                hasAlpha: png.hasAlpha,
                bitsPerChannel: png.bitsPerChannel,
                colorSpace: png.colorSpace,
                isProgressive: png.isProgressive
            )
        } else {
            let header = try BMPHeader(icon: picture)
            try options.limits.check(width: header.width, height: header.height)
            bitmap = header
            info = ImageInfo(
                format: .ico,
                width: header.width,
                height: header.height,
                hasAlpha: true,
                colorSpace: header.bitsPerPixel <= 8 ? "indexed" : "rgb"
            )
        }
    }

    func run() throws(ImageCodingError) -> DecodedImage {
        if let bitmap { return try decode(bitmap) }
        let image = try PNGCoder().decode(Data(picture.bytes), options: options)
        return DecodedImage(
            bitmap: image.bitmap,
            info: info,
            missingFraction: image.isPartial ? image.missingFraction : nil
        )
    }

    private func decode(_ header: BMPHeader) throws(ImageCodingError) -> DecodedImage {
        let rows = try BMPRows(picture, header: header, limits: options.limits)
        let missing = header.height - rows.wholeRows
        if missing > 0, !options.allowsPartial || rows.wholeRows == 0 {
            if let fault = rows.fault { throw .corrupt(.ico, fault) }
            throw .truncated(.ico, decodedRows: rows.wholeRows, ofRows: header.height)
        }
        let target = options.storedTarget(for: info.storedSize, orientation: .up)
        var sink = try RowSink(source: info.storedSize, target: target, info: info, options: options)
        let usesMask = !hasVisiblePixels(header)
        for row in 0..<header.height {
            sink.append { pixels in
                rows.read(row, into: pixels)
                if usesMask { applyMask(header, row: row, to: pixels) }
            }
        }
        return DecodedImage(
            bitmap: sink.finish(),
            info: info,
            missingFraction: missing > 0 ? Double(missing) / Double(header.height) : nil
        )
    }

    /// Whether the alpha of a bitmap of 32 bits is in use: some pixel has any.
    private func hasVisiblePixels(_ header: BMPHeader) -> Bool {
        guard header.bitsPerPixel == 32, let alpha = header.alpha else { return false }
        for pixel in 0..<(header.width * header.height) {
            guard let word = picture.littleEndian32(header.pixelOffset + 4 * pixel) else { return false }
            if alpha.value(of: UInt32(truncatingIfNeeded: word)) > 0 { return true }
        }
        return false
    }

    /// Makes the pixels of a row transparent that the mask below the picture says so of, and all others opaque.
    private func applyMask(_ header: BMPHeader, row: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let bytesPerRow = (header.width + 31) / 32 * 4
        let stored = header.isTopDown ? row : header.height - 1 - row
        let start = header.pixelOffset + header.bytesPerRow * header.height + bytesPerRow * stored
        for x in 0..<header.width {
            let isMasked = picture.byte(start + x / 8).map { $0 >> UInt8(7 - x % 8) & 1 == 1 } ?? false
            pixels[4 * x + 3] = isMasked ? 0 : 255
        }
    }
}
