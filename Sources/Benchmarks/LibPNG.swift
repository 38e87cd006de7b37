import CMagpiePNG
import Foundation

/// libpng's own interface, as bare as it can be used: what our decoder is held against.
enum LibPNG {
    private struct Source {
        let bytes: UnsafeRawBufferPointer
        var offset = 0
    }

    /// Decodes to RGBA rows in fresh memory; returns the seconds.
    static func secondsToDecode(_ file: Data) -> Double {
        let start = ContinuousClock.now
        file.withUnsafeBytes { bytes in
            var source = Source(bytes: bytes)
            withUnsafeMutablePointer(to: &source) { decode($0) }
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func decode(_ source: UnsafeMutablePointer<Source>) {
        var png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nil, nil, nil)
        var info = png_create_info_struct(png)
        defer { png_destroy_read_struct(&png, &info, nil) }
        png_set_read_fn(png, source) { png, target, count in
            guard let target, let source = png_get_io_ptr(png)?.assumingMemoryBound(to: Source.self) else { return }
            let slice = source.pointee.bytes.dropFirst(source.pointee.offset).prefix(count)
            UnsafeMutableRawBufferPointer(start: target, count: count).copyBytes(from: slice)
            source.pointee.offset += count
        }
        png_read_info(png, info)
        png_set_expand(png)
        png_set_gray_to_rgb(png)
        png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER)
        png_read_update_info(png, info)
        let stride = png_get_rowbytes(png, info)
        let height = Int(png_get_image_height(png, info))
        let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * height)
        defer { rows.deallocate() }
        for row in 0..<height { png_read_row(png, rows + row * stride, nil) }
        png_read_end(png, nil)
    }
}
