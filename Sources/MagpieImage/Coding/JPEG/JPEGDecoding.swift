import CMagpieJPEG
import Foundation

/// One run of libjpeg over one file.
struct JPEGDecoding {
    /// Real files have a dozen scans; each costs a pass over the whole picture, so a file of thousands is an attack.
    private static let scanLimit: Int32 = 200

    /// How much larger than the target the inverse DCT must leave a picture for the filter to make up for its softness:
    /// see Documentation/decisions/0003-resampling.md.
    private static let reserve = 1.9

    let reader: ByteReader
    let header: JPEGHeader
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        guard header.bitsPerChannel == 8 else {
            throw .unsupportedFeature(.jpeg, "\(header.bitsPerChannel) bits a sample")
        }
        guard header.process != .other else {
            throw .unsupportedFeature(.jpeg, "lossless or hierarchical coding")
        }
        guard [1, 3, 4].contains(header.sampling.count) else {
            throw .unsupportedFeature(.jpeg, "\(header.sampling.count) colour components")
        }
        try options.limits.check(bytes: header.coefficientBytes)
        guard let bytes = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let file = magpie_jpeg_open(bytes, reader.count, options.limits.maximumBytes, Self.scanLimit)
        else { throw .outOfMemory(bytes: header.coefficientBytes) }
        defer { magpie_jpeg_close(file) }
        guard magpie_jpeg_read_header(file), let decoder = magpie_jpeg_info(file) else { throw failure(file, row: 0) }
        return try decode(file, &decoder.pointee)
    }

    private func decode(
        _ file: OpaquePointer,
        _ decoder: inout jpeg_decompress_struct
    ) throws(ImageCodingError) -> DecodedImage {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        let isInk = decoder.num_components == 4
        decoder.out_color_space = isInk ? JCS_CMYK : JCS_EXT_RGBA
        decoder.scale_num = Self.eighths(from: info.storedSize, to: target)
        decoder.scale_denom = 8
        guard magpie_jpeg_start(file) else { throw failure(file, row: 0) }
        let scaled = PixelSize(width: Int(decoder.output_width), height: Int(decoder.output_height))
        let reduction = 8 / Double(decoder.scale_num)
        var sink = try RowSink(source: scaled, target: target, info: info, options: options, reduction: reduction)
        var stopped: ImageCodingError?
        for _ in 0..<scaled.height {
            do {
                try sink.append { (row) throws(ImageCodingError) in
                    guard magpie_jpeg_read_row(file, row) else {
                        throw failure(file, row: Int(decoder.output_scanline))
                    }
                    if isInk { convertInk(row, width: scaled.width) }
                }
            } catch {
                stopped = error
                break
            }
        }
        if stopped == nil, !magpie_jpeg_finish(file) { stopped = failure(file, row: scaled.height) }
        let missing = try missingFraction(file, stopped: stopped, rows: sink.rowsTaken, of: scaled.height)
        let colorSpace = ICCProfile.colorSpace(ofRGB: header.profile, pixelsAreConverted: isInk)
        return DecodedImage(bitmap: sink.finish(colorSpace: colorSpace), info: info, missingFraction: missing)
    }

    /// Nil for a whole picture.
    ///
    /// Throws unless a partial one is welcome and there is something to show.
    private func missingFraction(
        _ file: OpaquePointer,
        stopped: ImageCodingError?,
        rows: Int,
        of total: Int
    ) throws(ImageCodingError) -> Double? {
        guard stopped != nil || magpie_jpeg_losses(file) > 0 else { return nil }
        var whole = rows
        if magpie_jpeg_losses(file) > 0 {
            whole = info.isProgressive ? 0 : min(rows, Int(magpie_jpeg_first_lossy_row(file)))
        }
        guard options.allowsPartial, rows > 0 else {
            throw stopped ?? failure(file, row: whole * info.height / max(1, total))
        }
        return 1 - Double(whole) / Double(max(1, total))
    }

    private func failure(_ file: OpaquePointer, row: Int) -> ImageCodingError {
        if magpie_jpeg_ended_early(file) {
            return .truncated(.jpeg, decodedRows: row, ofRows: info.height)
        }
        return .corrupt(.jpeg, String(cString: magpie_jpeg_message(file)))
    }

    /// The scale of the inverse DCT in eighths: the smallest power of two (those have vector code) that leaves enough.
    private static func eighths(from stored: PixelSize, to target: PixelSize) -> UInt32 {
        for eighths in [1, 2, 4] {
            let width = Double((stored.width * eighths + 7) / 8)
            let height = Double((stored.height * eighths + 7) / 8)
            if width >= Double(target.width) * reserve, height >= Double(target.height) * reserve {
                return UInt32(eighths)
            }
        }
        return 8
    }

    /// CMYK to RGBA in place.
    ///
    /// Adobe stores ink inverted, so that 255 is no ink.
    private func convertInk(_ row: UnsafeMutablePointer<UInt8>, width: Int) {
        let flip: UInt8 = header.isInkInverted ? 0 : 255
        for at in stride(from: 0, to: width * 4, by: 4) {
            let key = UInt32(row[at + 3] ^ flip)
            for channel in at..<(at + 3) {
                row[channel] = UInt8(truncatingIfNeeded: (UInt32(row[channel] ^ flip) * key + 127) / 255)
            }
            row[at + 3] = 255
        }
    }
}
