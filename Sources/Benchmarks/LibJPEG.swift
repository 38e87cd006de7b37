import CMagpieJPEG
import Foundation

/// libjpeg-turbo's own interface, as bare as it can be used: what our decoder is held against.
enum LibJPEG {
    /// Decodes to RGBA rows in fresh memory, scaled by the inverse DCT; returns the seconds.
    static func secondsToDecode(_ file: Data, eighths: UInt32 = 8) -> Double {
        let start = ContinuousClock.now
        withDecoder(of: file) { decoder in
            jpeg_read_header(&decoder, 1)
            decoder.out_color_space = JCS_EXT_RGBA
            (decoder.scale_num, decoder.scale_denom) = (eighths, 8)
            jpeg_start_decompress(&decoder)
            let stride = Int(decoder.output_width) * 4
            let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * Int(decoder.output_height))
            defer { rows.deallocate() }
            while decoder.output_scanline < decoder.output_height {
                var row: JSAMPROW? = rows + stride * Int(decoder.output_scanline)
                jpeg_read_scanlines(&decoder, &row, 1)
            }
            jpeg_finish_decompress(&decoder)
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// The same coefficients in the scans of a progressive file.
    static func progressive(_ file: Data) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        withDecoder(of: file) { decoder in
            jpeg_read_header(&decoder, 1)
            var errors = jpeg_error_mgr()
            var encoder = jpeg_compress_struct()
            encoder.err = jpeg_std_error(&errors)
            jpeg_CreateCompress(&encoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
            defer { jpeg_destroy_compress(&encoder) }
            jpeg_mem_dest(&encoder, &bytes, &count)
            let coefficients = jpeg_read_coefficients(&decoder)
            jpeg_copy_critical_parameters(&decoder, &encoder)
            jpeg_simple_progression(&encoder)
            jpeg_write_coefficients(&encoder, coefficients)
            jpeg_finish_compress(&encoder)
            jpeg_finish_decompress(&decoder)
        }
        defer { free(bytes) }
        return bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data()
    }

    private static func withDecoder(of file: Data, _ body: (inout jpeg_decompress_struct) -> Void) {
        file.withUnsafeBytes { bytes in
            var errors = jpeg_error_mgr()
            var decoder = jpeg_decompress_struct()
            decoder.err = jpeg_std_error(&errors)
            jpeg_CreateDecompress(&decoder, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.size)
            defer { jpeg_destroy_decompress(&decoder) }
            jpeg_mem_src(&decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count))
            body(&decoder)
        }
    }
}
