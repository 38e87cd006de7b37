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
        let data = Data(bytes: bytes, count: count)
        return JPEGMetadata.insert(exif: options.uprightEXIF, xmp: options.metadata?.xmp, into: data)
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
        let flattens = bitmap.alpha != .opaque
        var line = [UInt8](repeating: 0, count: flattens ? bitmap.bytesPerRow : 0)
        return bitmap.withUnsafeBytes { pixels in
            for row in 0..<bitmap.height {
                let start = row * bitmap.bytesPerRow
                let source = UnsafeRawBufferPointer(rebasing: pixels[start..<(start + bitmap.bytesPerRow)])
                if flattens { flatten(source, into: &line) }
                let wrote =
                    flattens
                    ? magpie_jpeg_write_row(file, line)
                    : magpie_jpeg_write_row(file, source.baseAddress?.assumingMemoryBound(to: UInt8.self))
                guard wrote else { return false }
            }
            return true
        }
    }

    /// Lets the background shine through.
    private func flatten(_ pixels: UnsafeRawBufferPointer, into line: inout [UInt8]) {
        let behind = [UInt32(options.background.r), UInt32(options.background.g), UInt32(options.background.b)]
        let isStraight = bitmap.alpha == .straight
        line.withUnsafeMutableBufferPointer { line in
            for at in stride(from: 0, to: line.count, by: 4) {
                let alpha = UInt32(pixels[at + 3])
                for channel in 0..<3 {
                    let value = UInt32(pixels[at + channel])
                    let covered = isStraight ? value * alpha : value * 255
                    let sum = (covered + behind[channel] * (255 - alpha) + 127) / 255
                    line[at + channel] = UInt8(min(sum, 255))
                }
            }
        }
    }

    private func failure(_ file: OpaquePointer) -> ImageCodingError {
        let message = String(cString: magpie_jpeg_writer_message(file))
        return .outOfMemory(toldBy: message, bytes: bitmap.byteCount) ?? .cannotEncode(.jpeg, message)
    }
}
