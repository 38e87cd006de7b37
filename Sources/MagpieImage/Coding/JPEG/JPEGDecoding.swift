import CMagpieJPEG
import Foundation

/// One run of libjpeg over one file, as far as its bytes have come.
///
/// The rows of a file of one scan are taken as they come. Of several scans, as progressive files have them, libjpeg keeps the
/// coefficients, and every picture is a pass over all of them.
final class JPEGDecoding {
    private enum Stage {
        /// Before the picture's data; in the rows of an only scan; behind them; in one of several scans; done or damaged.
        case header, rows, end, scans, over
    }

    /// Why there is no further row.
    private enum NoRow: Error {
        case yet, everMore
    }

    /// How many pixels a pass puts out in about the time that a byte takes to be decoded.
    ///
    /// Passes for previews wait until so many bytes have come: all of them together cost no more than the bytes do.
    private static let pixelsPerByte = 14

    private let header: JPEGHeader
    private let info: ImageInfo
    private let options: ImageDecodeOptions
    private let target: PixelSize
    /// What makes colours of four components.
    private let ink: JPEGInk?
    private let file: OpaquePointer
    private let decoder: UnsafeMutablePointer<jpeg_decompress_struct>
    private var stage = Stage.header
    private var scaled = PixelSize(width: 0, height: 0)
    private var eighths: UInt32 = 8
    /// The rows of the only scan, or of the pass that is open.
    private var sink: RowSink?
    private var rowsShown = 0
    private var bytesSincePass: Int?
    /// What ended the reading early.
    private var stopped: ImageCodingError?

    init(header: JPEGHeader, info: ImageInfo, options: ImageDecodeOptions) throws(ImageCodingError) {
        try header.checkFeatures(limits: options.limits)
        guard let file = magpie_jpeg_open(options.limits.maximumBytes, header.affordableScans),
            let decoder = magpie_jpeg_info(file)
        else { throw .outOfMemory(bytes: header.coefficientBytes) }
        self.header = header
        self.info = info
        self.options = options
        ink = header.sampling.count == 4 ? JPEGInk(header, options: options) : nil
        self.file = file
        self.decoder = decoder
        target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
    }

    deinit {
        magpie_jpeg_close(file)
    }

    /// Goes as far as the bytes allow: those left over from the last time, and the new ones behind them.
    ///
    /// - Returns: How many of them are used up.
    func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ImageCodingError) -> Int {
        magpie_jpeg_feed(file, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, isLast)
        if stage == .header { try begin() }
        if stage == .rows, pourRows() { stage = .end }
        if stage == .end, isDone(magpie_jpeg_finish(file)) { stage = .over }
        if stage == .scans { _ = isDone(magpie_jpeg_read_scans(file)) }
        let used = bytes.count - magpie_jpeg_unread(file)
        bytesSincePass? += used
        return used
    }

    /// The rows that have come, or the whole as coarse as the scans so far leave it.
    func preview() throws(ImageCodingError) -> DecodedImage? {
        // What was unread is not in its place any more.
        magpie_jpeg_feed(file, nil, 0, false)
        guard stage == .scans else { return newRows(missing: nil) }
        let scan = decoder.pointee.input_scan_number
        if scan > 1 || jpeg_input_complete(decoder) != 0 {
            return try previewPass(after: jpeg_input_complete(decoder) != 0 ? scan : scan - 1)
        }
        // The rows of the first scan, in one pass that stays open.
        if sink == nil { try startPass(after: 1) }
        _ = pourRows()
        return newRows(missing: 1)
    }

    /// The picture, when all has been read.
    func finish() throws(ImageCodingError) -> DecodedImage {
        var isCoarse = false
        if stage == .scans {
            try startPass(after: decoder.pointee.input_scan_number)
            if pourRows(), isDone(magpie_jpeg_finish_pass(file)) {
                // Finishing frees what tells it.
                isCoarse = !isFullyRefined
                _ = isDone(magpie_jpeg_finish(file))
            }
        }
        guard let sink = sink.take() else { throw stopped ?? failure(row: 0) }
        let rows = sink.rowsTaken
        let whole = wholeRows(of: rows, isCoarse: isCoarse)
        if let whole, !options.allowsPartial || rows == 0 {
            throw stopped ?? failure(row: whole * info.height / scaled.height)
        }
        return image(sink.finish(), missing: whole.map { 1 - Double($0) / Double(scaled.height) })
    }

    // MARK: - Rows

    private func begin() throws(ImageCodingError) {
        guard isDone(magpie_jpeg_read_header(file)) else { return }
        eighths = JPEGScale.eighths(from: info.storedSize, to: target)
        decoder.pointee.out_color_space = ink == nil ? JCS_EXT_RGBA : JCS_CMYK
        decoder.pointee.scale_num = eighths
        decoder.pointee.scale_denom = 8
        guard isDone(magpie_jpeg_start(file)) else { return }
        scaled = PixelSize(width: Int(decoder.pointee.output_width), height: Int(decoder.pointee.output_height))
        if decoder.pointee.buffered_image != 0 {
            stage = .scans
        } else {
            sink = try makeSink()
            stage = .rows
        }
    }

    private func makeSink() throws(ImageCodingError) -> RowSink {
        try RowSink(
            source: scaled,
            target: target,
            info: info,
            options: options,
            reduction: 8 / Double(eighths),
            colorSpace: ink?.colorSpace ?? ICCProfile.colorSpace(ofRGB: header.profile)
        )
    }

    /// Pours rows into the sink, as far as they have come.
    ///
    /// - Returns: Whether that was all of them.
    private func pourRows() -> Bool {
        guard var sink = sink.take() else { return false }
        let ending = pour(into: &sink)
        self.sink = consume sink
        if ending == .everMore { stop() }
        return ending == nil
    }

    /// - Returns: Why it ended before the last row.
    private func pour(into sink: inout RowSink) -> NoRow? {
        do throws(NoRow) {
            while sink.rowsTaken < scaled.height {
                try sink.append { (row) throws(NoRow) in
                    let status = magpie_jpeg_read_row(file, row)
                    guard status == MAGPIE_JPEG_DONE else {
                        throw status == MAGPIE_JPEG_SUSPENDED ? .yet : .everMore
                    }
                    ink?.convert(row, width: scaled.width)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// A picture of the rows so far, if there are new ones.
    private func newRows(missing: Double?) -> DecodedImage? {
        guard let rows = sink?.rowsTaken, rows > rowsShown, let bitmap = sink?.snapshot() else {
            return nil
        }
        rowsShown = rows
        return image(bitmap, missing: missing ?? 1 - Double(rows) / Double(scaled.height))
    }

    // MARK: - Passes

    /// Opens a pass, with an empty sink, in place of the one that may be open.
    private func startPass(after scan: Int32) throws(ImageCodingError) {
        if sink != nil { _ = isDone(magpie_jpeg_finish_pass(file)) }
        sink = nil
        guard stopped == nil, isDone(magpie_jpeg_start_pass(file, scan)) else { return }
        sink = try makeSink()
    }

    private func previewPass(after scan: Int32) throws(ImageCodingError) -> DecodedImage? {
        // However far it is scaled down, all coefficients are looked at.
        let work = max(scaled.width * scaled.height, info.width * info.height / 16)
        guard bytesSincePass.map({ $0 >= work / Self.pixelsPerByte }) ?? true else { return nil }
        bytesSincePass = 0
        try startPass(after: scan)
        guard pourRows(), isDone(magpie_jpeg_finish_pass(file)), let sink = sink.take() else { return nil }
        return image(sink.finish(), missing: 1)
    }

    // MARK: - Results

    private func image(_ bitmap: Bitmap, missing: Double?) -> DecodedImage {
        DecodedImage(bitmap: bitmap, info: info, missingFraction: missing)
    }

    /// Whether a step is done; one that failed ends the reading.
    private func isDone(_ status: magpie_jpeg_status) -> Bool {
        if status == MAGPIE_JPEG_FAILED { stop() }
        return status == MAGPIE_JPEG_DONE
    }

    private func stop() {
        let rows = sink?.rowsTaken ?? 0
        stopped = failure(row: rows * info.height / max(1, scaled.height))
        // Of several scans nothing can be put out any more.
        if stage == .scans { sink = nil }
        stage = .over
    }

    /// How many of the rows that came are final; nil where the picture is whole.
    private func wholeRows(of rows: Int, isCoarse: Bool) -> Int? {
        let hasLosses = magpie_jpeg_losses(file) > 0
        guard stopped != nil || hasLosses || isCoarse && magpie_jpeg_ended_early(file) else { return nil }
        if info.isProgressive { return 0 }
        return hasLosses ? min(rows, Int(magpie_jpeg_first_lossy_row(file))) : rows
    }

    /// Whether the scans gave every coefficient its last bit.
    private var isFullyRefined: Bool {
        let components = Int(decoder.pointee.num_components)
        guard let missingBits = decoder.pointee.coef_bits else {
            // Of a baseline file, whether every component had its scan.
            return (0..<components).allSatisfy { decoder.pointee.comp_info[$0].quant_table != nil }
        }
        let count = components * Int(DCTSIZE2)
        return missingBits.withMemoryRebound(to: Int32.self, capacity: count) { bits in
            (0..<count).allSatisfy { bits[$0] == 0 }
        }
    }

    private func failure(row: Int) -> ImageCodingError {
        if magpie_jpeg_ended_early(file) {
            return .truncated(.jpeg, decodedRows: row, ofRows: info.height)
        }
        let message = String(cString: magpie_jpeg_message(file))
        let bytes = max(header.allCoefficientBytes, info.pixelBytes)
        return .outOfMemory(toldBy: message, bytes: bytes) ?? .corrupt(.jpeg, message)
    }
}
