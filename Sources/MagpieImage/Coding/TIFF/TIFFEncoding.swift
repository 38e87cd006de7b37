#if TIFF
import CTIFF
import Foundation

/// Writes one bitmap with libtiff: deflate, each row as differences between its pixels.
struct TIFFEncoding {
    /// Offsets of a TIFF have 32 bits.
    private static let mostBytes = 4_000_000_000

    let bitmap: Bitmap

    func run() throws(ImageCodingError) -> Data {
        guard bitmap.byteCount < Self.mostBytes, let width = UInt32(exactly: bitmap.width),
            let height = UInt32(exactly: bitmap.height)
        else { throw .cannotEncode(.tiff, "its pixels take more than 4 GB") }
        let stream = TIFFStream()
        let file = try TIFFFile(stream, .writing, memoryLimit: Int.max)
        try setFields(file, width: width, height: height)
        try writeRows(file)
        guard TIFFWriteDirectory(file.handle) != 0 else { throw failure(file) }
        return stream.bytes
    }

    private func setFields(_ file: TIFFFile, width: UInt32, height: UInt32) throws(ImageCodingError) {
        let hasAlpha = bitmap.alpha != .opaque
        let fields: [(Int32, UInt32)] = [
            (TIFFTAG_IMAGEWIDTH, width), (TIFFTAG_IMAGELENGTH, height),
            (TIFFTAG_BITSPERSAMPLE, 8), (TIFFTAG_SAMPLESPERPIXEL, hasAlpha ? 4 : 3),
            (TIFFTAG_PHOTOMETRIC, UInt32(PHOTOMETRIC_RGB)), (TIFFTAG_PLANARCONFIG, UInt32(PLANARCONFIG_CONTIG)),
            (TIFFTAG_ORIENTATION, UInt32(ORIENTATION_TOPLEFT)),
            (TIFFTAG_COMPRESSION, UInt32(COMPRESSION_ADOBE_DEFLATE)),
            (TIFFTAG_PREDICTOR, UInt32(PREDICTOR_HORIZONTAL)),
        ]
        for (tag, value) in fields {
            guard magpie_tiff_set(file.handle, UInt32(tag), value) != 0 else { throw failure(file) }
        }
        // A strip of some 64 kB, so that a reader needs little memory.
        let rows = max(1, min(height, 65_536 / (width * 4)))
        _ = magpie_tiff_set(file.handle, UInt32(TIFFTAG_ROWSPERSTRIP), rows)
        if hasAlpha {
            let kinds = [UInt16(EXTRASAMPLE_UNASSALPHA)]
            _ = magpie_tiff_set_array(file.handle, UInt32(TIFFTAG_EXTRASAMPLES), 1, kinds)
        }
        if case .icc(let profile) = bitmap.colorSpace {
            let count = UInt32(truncatingIfNeeded: profile.count)
            profile.withUnsafeBytes { bytes in
                _ = magpie_tiff_set_array(file.handle, UInt32(TIFFTAG_ICCPROFILE), count, bytes.baseAddress)
            }
        }
    }

    private func writeRows(_ file: TIFFFile) throws(ImageCodingError) {
        let channels = bitmap.alpha == .opaque ? 3 : 4
        var line = [UInt8](repeating: 0, count: bitmap.width * 4)
        let written = bitmap.withUnsafeBytes { pixels in
            for row in 0..<bitmap.height {
                let start = row * bitmap.bytesPerRow
                let source = UnsafeRawBufferPointer(rebasing: pixels[start..<(start + bitmap.width * 4)])
                let isWritten = line.withUnsafeMutableBytes { line in
                    line.copyMemory(from: source)
                    if bitmap.alpha == .premultiplied { Premultiplication.undo(line) }
                    if channels == 3 {
                        for x in 0..<bitmap.width {
                            for channel in 0..<3 { line[3 * x + channel] = line[4 * x + channel] }
                        }
                    }
                    return TIFFWriteScanline(file.handle, line.baseAddress, UInt32(row), 0) > 0
                }
                guard isWritten else { return false }
            }
            return true
        }
        guard written else { throw failure(file) }
    }

    private func failure(_ file: TIFFFile) -> ImageCodingError {
        let message = file.message.isEmpty ? "libtiff gave up" : file.message
        return .outOfMemory(toldBy: message, bytes: bitmap.byteCount) ?? .cannotEncode(.tiff, message)
    }
}
#endif
