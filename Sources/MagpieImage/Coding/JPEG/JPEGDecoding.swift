import CMagpieJPEG
import Foundation

/// One run of libjpeg over one file.
struct JPEGDecoding {
    /// Real files have a dozen scans.
    ///
    /// Each costs a pass over the whole picture, so that a file of hundreds is an attack, and all the more a large one.
    private static let scanLimit = 24...200
    private static let scannedPixelLimit = 4_000_000_000

    /// How much larger than the target the inverse DCT must leave a picture for the filter to make up for its coarseness.
    ///
    /// Large pictures, where the time counts, are softer to begin with. See Documentation/decisions/0003-resampling.md.
    private static func reserve(_ stored: PixelSize) -> Double {
        stored.width * stored.height < 4_000_000 ? 3 : 1.9
    }

    let reader: ByteReader
    let header: JPEGHeader
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        try checkFeatures()
        guard let bytes = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let file = magpie_jpeg_open(bytes, reader.count, options.limits.maximumBytes, affordableScans)
        else { throw .outOfMemory(bytes: header.coefficientBytes) }
        defer { magpie_jpeg_close(file) }
        guard magpie_jpeg_read_header(file), let decoder = magpie_jpeg_info(file) else { throw failure(file, row: 0) }
        return try decode(file, decoder)
    }

    private func checkFeatures() throws(ImageCodingError) {
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
    }

    private var affordableScans: Int32 {
        let scans = Self.scannedPixelLimit / max(1, info.width * info.height)
        return Int32(min(max(scans, Self.scanLimit.lowerBound), Self.scanLimit.upperBound))
    }

    private func decode(
        _ file: OpaquePointer,
        _ decoder: UnsafeMutablePointer<jpeg_decompress_struct>
    ) throws(ImageCodingError) -> DecodedImage {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        let isInk = decoder.pointee.num_components == 4
        let eighths = Self.eighths(from: info.storedSize, to: target)
        decoder.pointee.out_color_space = isInk ? JCS_CMYK : JCS_EXT_RGBA
        decoder.pointee.scale_num = eighths
        decoder.pointee.scale_denom = 8
        guard magpie_jpeg_start(file) else { throw failure(file, row: 0) }
        let scaled = PixelSize(width: Int(decoder.pointee.output_width), height: Int(decoder.pointee.output_height))
        var sink = try RowSink(
            source: scaled,
            target: target,
            info: info,
            options: options,
            reduction: 8 / Double(eighths),
            colorSpace: ICCProfile.colorSpace(ofRGB: header.profile, pixelsAreConverted: isInk)
        )
        var stopped = readRows(file, size: scaled, isInk: isInk, into: &sink)
        // Finishing frees what tells it.
        let isCoarse = !Self.isFullyRefined(decoder)
        if stopped == nil, !magpie_jpeg_finish(file) { stopped = failure(file, row: info.height) }
        let rows = sink.rowsTaken
        let whole = wholeRows(file, of: rows, isStopped: stopped != nil, isCoarse: isCoarse)
        if let whole, !options.allowsPartial || rows == 0 {
            throw stopped ?? failure(file, row: whole * info.height / scaled.height)
        }
        return DecodedImage(
            bitmap: sink.finish(),
            info: info,
            missingFraction: whole.map { 1 - Double($0) / Double(scaled.height) }
        )
    }

    /// - Returns: The error that ended the reading before the last row, if one did.
    private func readRows(
        _ file: OpaquePointer,
        size: PixelSize,
        isInk: Bool,
        into sink: inout RowSink
    ) -> ImageCodingError? {
        do throws(ImageCodingError) {
            for index in 0..<size.height {
                try sink.append { (row) throws(ImageCodingError) in
                    guard magpie_jpeg_read_row(file, row) else {
                        throw failure(file, row: index * info.height / size.height)
                    }
                    if isInk { convertInk(row, width: size.width) }
                }
            }
        } catch {
            return error
        }
        return nil
    }

    /// How many of the rows that came are final; nil where the picture is whole.
    private func wholeRows(
        _ file: OpaquePointer,
        of rows: Int,
        isStopped: Bool,
        isCoarse: Bool
    ) -> Int? {
        let hasLosses = magpie_jpeg_losses(file) > 0
        guard isStopped || hasLosses || isCoarse && magpie_jpeg_ended_early(file) else { return nil }
        if info.isProgressive { return 0 }
        return hasLosses ? min(rows, Int(magpie_jpeg_first_lossy_row(file))) : rows
    }

    /// Whether the scans of a progressive file gave every coefficient its last bit; true for a baseline file.
    private static func isFullyRefined(_ decoder: UnsafeMutablePointer<jpeg_decompress_struct>) -> Bool {
        guard let missingBits = decoder.pointee.coef_bits else { return true }
        let count = Int(decoder.pointee.num_components) * Int(DCTSIZE2)
        return missingBits.withMemoryRebound(to: Int32.self, capacity: count) { bits in
            (0..<count).allSatisfy { bits[$0] == 0 }
        }
    }

    private func failure(_ file: OpaquePointer, row: Int) -> ImageCodingError {
        if magpie_jpeg_ended_early(file) {
            return .truncated(.jpeg, decodedRows: row, ofRows: info.height)
        }
        let message = String(cString: magpie_jpeg_message(file))
        let bytes = max(header.allCoefficientBytes, info.pixelBytes)
        return .outOfMemory(toldBy: message, bytes: bytes) ?? .corrupt(.jpeg, message)
    }

    /// The scale of the inverse DCT in eighths: the smallest power of two (those have vector code) that leaves enough.
    private static func eighths(from stored: PixelSize, to target: PixelSize) -> UInt32 {
        let reserve = reserve(stored)
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
