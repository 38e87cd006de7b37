import CMagpieJPEG
import Foundation

/// Writes one bitmap with libjpeg.
struct JPEGEncoding {
    /// T.81 stores sizes in 16 bits; libjpeg allows a little less.
    private static let largestSide = 65500

    let bitmap: Bitmap
    let options: ImageEncodeOptions

    func run() throws(ImageCodingError) -> Data {
        guard bitmap.width <= Self.largestSide, bitmap.height <= Self.largestSide else {
            throw .cannotEncode(.jpeg, "a side is longer than \(Self.largestSide) pixels")
        }
        guard let file = magpie_jpeg_create() else { throw .outOfMemory(bytes: bitmap.byteCount) }
        defer { magpie_jpeg_destroy(file) }
        guard writeHeader(file), writeRows(file) else { throw failure(file) }
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard magpie_jpeg_end(file, &bytes, &count), let bytes else { throw failure(file) }
        return Data(bytes: bytes, count: count)
    }

    private func writeHeader(_ file: OpaquePointer) -> Bool {
        let (width, height) = (Int32(bitmap.width), Int32(bitmap.height))
        let quality = Int32(options.percent.rounded())
        guard case .icc(let profile) = bitmap.colorSpace else {
            return magpie_jpeg_write_header(file, width, height, quality, nil, 0)
        }
        return profile.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return magpie_jpeg_write_header(
                file,
                width,
                height,
                quality,
                start,
                UInt32(truncatingIfNeeded: bytes.count)
            )
        }
    }

    private func writeRows(_ file: OpaquePointer) -> Bool {
        var line = [UInt8](repeating: 0, count: bitmap.width * 3)
        return bitmap.withUnsafeBytes { pixels in
            for row in 0..<bitmap.height {
                let start = row * bitmap.bytesPerRow
                flatten(UnsafeRawBufferPointer(rebasing: pixels[start..<(start + bitmap.width * 4)]), into: &line)
                guard magpie_jpeg_write_row(file, line) else { return false }
            }
            return true
        }
    }

    /// Drops alpha, with the background shining through.
    private func flatten(_ pixels: UnsafeRawBufferPointer, into line: inout [UInt8]) {
        let behind = [UInt32(options.background.r), UInt32(options.background.g), UInt32(options.background.b)]
        let isStraight = bitmap.alpha == .straight
        line.withUnsafeMutableBufferPointer { line in
            for x in 0..<bitmap.width {
                let alpha = bitmap.alpha == .opaque ? 255 : UInt32(pixels[4 * x + 3])
                for channel in 0..<3 {
                    let value = UInt32(pixels[4 * x + channel])
                    let covered = isStraight ? value * alpha : value * 255
                    let sum = (covered + behind[channel] * (255 - alpha) + 127) / 255
                    line[3 * x + channel] = UInt8(min(sum, 255))
                }
            }
        }
    }

    private func failure(_ file: OpaquePointer) -> ImageCodingError {
        .cannotEncode(.jpeg, String(cString: magpie_jpeg_writer_message(file)))
    }
}
