import CMagpiePNG
import Foundation

/// One run of libpng over one file.
struct PNGDecoding {
    /// What a single chunk (in practice an ICC profile) may inflate to.
    private static let chunkLimit = 16 << 20

    let reader: ByteReader
    let info: ImageInfo
    let options: ImageDecodeOptions

    func run() throws(ImageCodingError) -> DecodedImage {
        let target = options.storedTarget(for: info.storedSize, orientation: info.orientation)
        guard let bytes = reader.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let file = magpie_png_open(bytes, reader.count, Self.chunkLimit)
        else { throw .outOfMemory(bytes: reader.count) }
        defer { magpie_png_close(file) }
        var passes: Int32 = 1
        guard magpie_png_start(file, &passes) else { throw failure(file, rows: 0) }
        var sink = try RowSink(
            source: info.storedSize,
            target: target,
            info: info,
            options: options,
            colorSpace: colorSpace(file)
        )
        var stopped: ImageCodingError?
        var wholeRows: Int?
        do {
            if passes == 1 {
                try readRows(file, into: &sink)
            } else {
                stopped = try readInterlaced(file, passes: Int(passes), into: &sink)
                wholeRows = stopped == nil ? info.height : 0
            }
        } catch {
            stopped = error
        }
        if stopped == nil, !magpie_png_finish(file) { stopped = failure(file, rows: info.height) }
        if let stopped, !options.allowsPartial || sink.rowsTaken == 0 { throw stopped }
        let missing = stopped.map { _ in 1 - Double(wholeRows ?? sink.rowsTaken) / Double(info.height) }
        return DecodedImage(bitmap: sink.finish(), info: info, missingFraction: missing)
    }

    private func readRows(_ file: OpaquePointer, into sink: inout RowSink) throws(ImageCodingError) {
        for row in 0..<info.height {
            try sink.append { (target) throws(ImageCodingError) in
                guard magpie_png_read_row(file, target, row == info.height - 1) else { throw failure(file, rows: row) }
            }
        }
    }

    /// An interlaced picture is whole only after its last pass, so all of it is kept until then.
    ///
    /// - Returns: The error that ended the passes early, where what came so far was poured into the sink all the same.
    private func readInterlaced(
        _ file: OpaquePointer,
        passes: Int,
        into sink: inout RowSink
    ) throws(ImageCodingError) -> ImageCodingError? {
        try options.limits.check(bytes: info.pixelBytes)
        let buffer = try BitmapBuffer(width: info.width, height: info.height, alpha: .straight)
        var stopped: ImageCodingError?
        reading: for pass in 0..<passes {
            for row in 0..<info.height {
                guard let target = buffer.row(row)?.assumingMemoryBound(to: UInt8.self),
                    // The last pass holds every other row.
                    magpie_png_read_row(file, target, pass == passes - 1 && row >= info.height - 2)
                else {
                    stopped = failure(file, rows: 0)
                    break reading
                }
            }
        }
        sink.append(buffer, rows: info.height)
        return stopped
    }

    private func colorSpace(_ file: OpaquePointer) -> ColorSpace {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard magpie_png_profile(file, &bytes, &count), let bytes else { return .sRGB }
        return ICCProfile.colorSpace(ofRGB: Data(bytes: bytes, count: count))
    }

    private func failure(_ file: OpaquePointer, rows: Int) -> ImageCodingError {
        if magpie_png_ended_early(file) {
            return .truncated(.png, decodedRows: rows, ofRows: info.height)
        }
        let message = String(cString: magpie_png_message(file))
        return .outOfMemory(toldBy: message, bytes: info.pixelBytes) ?? .corrupt(.png, message)
    }
}
