#if WebP
import CWebP
import Foundation

/// The frames of an animated WebP as they are stored.
struct WebPFrames: FrameParts {
    let info: ImageInfo
    let parts: [FramePart]
    private let data: Data
    private let colorSpace: ColorSpace
    private let ranges: [Range<Int>]
    private let isTruncated: Bool
    private let allowsPartial: Bool

    init(_ data: Data, _ container: WebPContainer, options: ImageDecodeOptions) throws(ImageCodingError) {
        info = try container.info(limits: options.limits)
        colorSpace = ICCProfile.colorSpace(ofRGB: container.profile)
        parts = container.frames.map(\.part)
        ranges = container.frames.map(\.data)
        isTruncated = container.isTruncated
        allowsPartial = options.allowsPartial
        self.data = data
        guard !parts.isEmpty else { throw .truncated(.webp, decodedRows: 0, ofRows: info.height) }
    }

    func paint(_ index: Int, on canvas: Canvas) throws(ImageCodingError) -> Double? {
        let part = parts[index]
        guard part.rect.clipped(to: canvas.size) == part.rect else {
            throw .corrupt(.webp, "a frame leaves the canvas")
        }
        canvas.colorSpace = colorSpace
        if part.blend == .source {
            return try decode(index, into: canvas.memory(from: part.rect), bytesPerRow: canvas.buffer.bytesPerRow)
                .missing
        }
        let frame = try BitmapBuffer(width: part.rect.width, height: part.rect.height, alpha: .straight)
        let result = try decode(index, into: frame.storage.bytes, bytesPerRow: frame.bytesPerRow)
        canvas.lay(UnsafeRawBufferPointer(frame.storage.bytes), rows: result.rows, in: part)
        return result.missing
    }

    /// Writes a frame's rows.
    ///
    /// - Returns: How many there are, and what share is missing of a damaged frame.
    private func decode(
        _ index: Int,
        into memory: UnsafeMutableRawBufferPointer,
        bytesPerRow: Int
    ) throws(ImageCodingError) -> (rows: Int, missing: Double?) {
        let height = parts[index].rect.height
        return try data.withReader { (reader) throws(ImageCodingError) in
            guard let picture = reader.window(ranges[index].lowerBound, ranges[index].count),
                let bytes = picture.baseAddress?.assumingMemoryBound(to: UInt8.self), !picture.isEmpty
            else { throw failure(VP8_STATUS_NOT_ENOUGH_DATA, rows: 0) }
            guard var config = WebPDecoderConfig(writingTo: memory, bytesPerRow: bytesPerRow) else {
                throw failure(VP8_STATUS_OUT_OF_MEMORY, rows: 0)
            }
            let status = WebPDecode(bytes, picture.count, &config)
            if status == VP8_STATUS_OK { return (height, nil) }
            guard allowsPartial else { throw failure(status, rows: 0) }
            let rows = decodePartially(picture, &config)
            guard rows > 0 else { throw failure(status, rows: 0) }
            return (rows, 1 - Double(rows) / Double(max(1, height)))
        }
    }

    /// The rows that libwebp's incremental decoder gets out of a damaged frame.
    private func decodePartially(_ picture: UnsafeRawBufferPointer, _ config: inout WebPDecoderConfig) -> Int {
        guard let decoder = WebPIDecode(nil, 0, &config) else { return 0 }
        defer { WebPIDelete(decoder) }
        var rows: Int32 = 0
        _ = WebPIUpdate(decoder, picture.baseAddress?.assumingMemoryBound(to: UInt8.self), picture.count)
        return WebPIDecGetRGB(decoder, &rows, nil, nil, nil) == nil ? 0 : Int(rows)
    }

    private func failure(_ status: VP8StatusCode, rows: Int) -> ImageCodingError {
        .webp(status, isTruncated: isTruncated, rows: rows, of: info.storedSize)
    }
}
#endif
