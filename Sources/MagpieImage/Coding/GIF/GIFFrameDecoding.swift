#if GIF
import CGIF
import Foundation

/// One run of giflib over one frame of a file.
struct GIFFrameDecoding {
    let reader: ByteReader
    let header: GIFHeader
    let frame: GIFHeader.Frame
    let allowsPartial: Bool

    /// Paints the frame, but for its transparent pixels.
    ///
    /// - Returns: The share of the frame's rows that is missing; nil for a whole frame.
    func paint(on canvas: Canvas) throws(ImageCodingError) -> Double? {
        var source = GIFSource(reader.bytes, header: header.bytesBeforeBlocks, frame: frame.offset)
        var code: Int32 = 0
        var painted = 0
        var failure: ImageCodingError?
        withUnsafeMutablePointer(to: &source) { source in
            guard let file = DGifOpen(source, GIFSource.read, &code) else { return }
            defer { _ = DGifCloseFile(file, nil) }
            var type = UNDEFINED_RECORD_TYPE
            if DGifGetRecordType(file, &type) == GIF_OK, DGifGetImageDesc(file) == GIF_OK {
                if let colors = colors(file) {
                    painted = paintRows(file, colors, on: canvas)
                } else {
                    failure = .corrupt(.gif, "there is no palette")
                }
            }
            code = file.pointee.Error
        }
        let height = frame.part.rect.height
        if painted == height, failure == nil { return nil }
        let error = failure ?? self.failure(code, source: source, rows: painted)
        guard allowsPartial, painted > 0 else { throw error }
        // The passes of an interlaced frame are coarse; a row is final in any of them.
        return 1 - Double(painted) / Double(max(1, height))
    }

    /// RGBA for each of 256 indices, in memory order; nil without any palette.
    private func colors(_ file: UnsafeMutablePointer<GifFileType>) -> [UInt32]? {
        guard let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap, let entries = map.pointee.Colors else {
            return nil
        }
        // An index behind the palette is transparent where the picture has transparency, else black.
        let outside: UInt32 = header.hasAlpha ? 0 : UInt32(littleEndian: 0xFF00_0000)
        var colors = [UInt32](repeating: outside, count: 256)
        for index in 0..<max(0, min(256, Int(map.pointee.ColorCount))) {
            let entry = entries[index]
            let value = UInt32(entry.Red) | UInt32(entry.Green) << 8 | UInt32(entry.Blue) << 16 | 0xFF00_0000
            colors[index] = UInt32(littleEndian: value)
        }
        if let transparent = frame.transparentIndex { colors[transparent] = 0 }
        return colors
    }

    /// - Returns: How many rows of the frame were decoded.
    private func paintRows(
        _ file: UnsafeMutablePointer<GifFileType>,
        _ colors: [UInt32],
        on canvas: Canvas
    ) -> Int {
        let rect = frame.part.rect
        guard rect.width > 0 else { return 0 }
        var line = [GifPixelType](repeating: 0, count: rect.width)
        let columns = max(0, min(rect.width, canvas.size.width - rect.x))
        var painted = 0
        colors.withUnsafeBufferPointer { colors in
            line.withUnsafeMutableBufferPointer { line in
                for row in Self.rowOrder(height: rect.height, isInterlaced: frame.isInterlaced) {
                    guard DGifGetLine(file, line.baseAddress, Int32(rect.width)) == GIF_OK else { break }
                    painted += 1
                    guard let target = canvas.row(rect.y + row) else { continue }
                    if frame.part.blend == .source {
                        for column in 0..<columns { target[rect.x + column] = colors[Int(line[column])] }
                    } else {
                        for column in 0..<columns {
                            let color = colors[Int(line[column])]
                            if color != 0 { target[rect.x + column] = color }
                        }
                    }
                }
            }
        }
        return painted
    }

    /// The rows of a frame in the order in which the file stores them (GIF89a Appendix E).
    private static func rowOrder(height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    private func failure(_ code: Int32, source: GIFSource, rows: Int) -> ImageCodingError {
        if source.endedEarly { return .truncated(.gif, decodedRows: rows, ofRows: frame.part.rect.height) }
        return .corrupt(.gif, GifErrorString(code).map { String(cString: $0) } ?? "the frame's data is damaged")
    }
}
#endif
