#if GIF
import CGIF
import Foundation

/// One run of giflib over the first frame of one file.
struct GIFDecoding {
    let reader: ByteReader
    let header: GIFHeader
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        try options.limits.check(bytes: info.pixelBytes)
        let target = options.storedTarget(for: info.storedSize, orientation: .up)
        let canvas = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: info.hasAlpha ? .premultiplied : .opaque
        )
        let missing = try paint(header.first, on: canvas)
        var shown = info
        shown.hasAlpha = info.hasAlpha || missing != nil
        let bitmap = try canvas.finish(
            target: target,
            info: shown,
            options: options,
            isPremultiplied: true
        )
        return DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }

    /// Decodes the frame onto the canvas.
    ///
    /// - Returns: The share of the frame's rows that is missing; nil for a whole frame.
    private func paint(
        _ frame: GIFHeader.Frame,
        on canvas: borrowing BitmapBuffer
    ) throws(ImageCodingError) -> Double? {
        var source = GIFSource(bytes: reader.bytes)
        var code: Int32 = 0
        var painted = 0
        var failure: ImageCodingError?
        withUnsafeMutablePointer(to: &source) { source in
            guard let file = DGifOpen(source, GIFSource.read, &code) else { return }
            defer { _ = DGifCloseFile(file, nil) }
            guard skipToFrame(file) else {
                code = file.pointee.Error
                return
            }
            guard let colors = colors(file, frame) else {
                failure = .corrupt(.gif, "there is no palette")
                return
            }
            painted = paintRows(file, frame, colors, on: canvas)
            code = file.pointee.Error
        }
        if painted == frame.height, failure == nil { return nil }
        let error = failure ?? self.failure(code, source: source, rows: painted)
        guard options.allowsPartial, painted > 0 else { throw error }
        // The passes of an interlaced frame are coarse; a row is final in any of them.
        return 1 - Double(painted) / Double(max(1, frame.height))
    }

    private func skipToFrame(_ file: UnsafeMutablePointer<GifFileType>) -> Bool {
        var type = UNDEFINED_RECORD_TYPE
        while DGifGetRecordType(file, &type) == GIF_OK {
            if type == IMAGE_DESC_RECORD_TYPE { return DGifGetImageDesc(file) == GIF_OK }
            guard type == EXTENSION_RECORD_TYPE else { return false }
            var label: Int32 = 0
            var block: UnsafeMutablePointer<GifByteType>?
            guard DGifGetExtension(file, &label, &block) == GIF_OK else { return false }
            while block != nil {
                guard DGifGetExtensionNext(file, &block) == GIF_OK else { return false }
            }
        }
        return false
    }

    /// RGBA for each of 256 indices, in memory order; nil without any palette.
    private func colors(_ file: UnsafeMutablePointer<GifFileType>, _ frame: GIFHeader.Frame) -> [UInt32]? {
        guard let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap, let entries = map.pointee.Colors else {
            return nil
        }
        // An index behind the palette is transparent where the picture has transparency, else black.
        let outside: UInt32 = info.hasAlpha ? 0 : UInt32(littleEndian: 0xFF00_0000)
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
        _ frame: GIFHeader.Frame,
        _ colors: [UInt32],
        on canvas: borrowing BitmapBuffer
    ) -> Int {
        guard frame.width > 0 else { return 0 }
        var line = [GifPixelType](repeating: 0, count: frame.width)
        let columns = max(0, min(frame.width, canvas.width - frame.left))
        var painted = 0
        for row in Self.rowOrder(height: frame.height, isInterlaced: frame.isInterlaced) {
            guard DGifGetLine(file, &line, Int32(frame.width)) == GIF_OK else { break }
            painted += 1
            guard let target = canvas.row(frame.top + row)?.assumingMemoryBound(to: UInt32.self) else { continue }
            for column in 0..<columns {
                target[frame.left + column] = colors[Int(line[column])]
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
        if source.endedEarly { return .truncated(.gif, decodedRows: rows, ofRows: info.height) }
        return .corrupt(.gif, GifErrorString(code).map { String(cString: $0) } ?? "the frame's data is damaged")
    }
}

/// Bytes in memory, as giflib wants to read them.
struct GIFSource {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private(set) var endedEarly = false

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Gives at most `count` bytes; fewer make giflib fail.
    static let read: InputFunc = { file, target, count in
        guard let source = file?.pointee.UserData?.assumingMemoryBound(to: GIFSource.self), let target else { return 0 }
        return source.pointee.copy(to: target, count: Int(count))
    }

    private mutating func copy(to target: UnsafeMutablePointer<GifByteType>, count: Int) -> Int32 {
        let length = max(0, min(count, bytes.count - offset))
        endedEarly = endedEarly || length < count
        bytes[offset..<(offset + length)].copyBytes(to: UnsafeMutableRawBufferPointer(start: target, count: length))
        offset += length
        return Int32(length)
    }
}
#endif
