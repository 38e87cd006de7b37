#if HEIC
import CHEIF

/// A picture of libde265: planes of luma and colour, valid until the next one is decoded.
struct HEVCPicture {
    private struct Plane {
        let start: UnsafePointer<UInt8>
        let stride: Int
        /// 1 where two bytes a sample.
        let wide: Int
        let shift: Int

        /// A sample as 8 bits.
        func callAsFunction(_ x: Int, _ y: Int) -> Int {
            let at = start + y * stride + (x << wide)
            guard wide == 1 else { return Int(at[0]) }
            let value = Int(at[0]) | (Int(at[1]) << 8)
            return min(255, (value + (1 << shift) / 2) >> shift)
        }
    }

    let size: PixelSize
    private let planes: [Plane]
    private let chroma: (x: Int, y: Int)
    private let matrix: Int
    private let isFullRange: Bool

    init(_ image: OpaquePointer) {
        size = PixelSize(
            width: Int(de265_get_image_width(image, 0)),
            height: Int(de265_get_image_height(image, 0))
        )
        let format = de265_get_chroma_format(image)
        planes = (0..<(format == de265_chroma_mono ? 1 : 3)).compactMap { (channel: Int32) in
            var stride: Int32 = 0
            guard let start = de265_get_image_plane(image, channel, &stride) else { return nil }
            let depth = Int(de265_get_bits_per_pixel(image, channel))
            return Plane(start: start, stride: Int(stride), wide: depth > 8 ? 1 : 0, shift: max(0, depth - 8))
        }
        chroma = (format == de265_chroma_444 ? 0 : 1, format == de265_chroma_420 ? 1 : 0)
        matrix = Int(de265_get_image_matrix_coefficients(image))
        isFullRange = de265_get_image_full_range_flag(image) != 0
    }

    /// Writes red, green and blue, and 255 for alpha; the buffer is of the picture's size.
    func write(to buffer: borrowing BitmapBuffer) {
        let conversion = YCbCrConversion(matrix: matrix, isFullRange: isFullRange)
        guard let luma = planes.first else { return }
        var cb = [Int](repeating: 128, count: buffer.width)
        var cr = cb
        for y in 0..<buffer.height {
            guard let row = buffer.row(y)?.assumingMemoryBound(to: UInt8.self) else { return }
            if planes.count == 3 {
                interpolate(planes[1], row: y, into: &cb)
                interpolate(planes[2], row: y, into: &cr)
            }
            for x in 0..<buffer.width {
                let (red, green, blue) = conversion.rgb(luma(x, y), cb[x], cr[x])
                (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (red, green, blue, 255)
            }
        }
    }

    /// One row of a plane of colour, at the width of luma: linear between samples, which lie on every second column and
    /// between two rows (the default of ITU-T H.265, figure E.1).
    private func interpolate(_ plane: Plane, row y: Int, into line: inout [Int]) {
        let last = (x: (size.width - 1) >> chroma.x, y: (size.height - 1) >> chroma.y)
        let near = y >> chroma.y
        let far = chroma.y == 0 ? near : max(0, min(last.y, y & 1 == 0 ? near - 1 : near + 1))
        func column(_ x: Int) -> Int { 3 * plane(x, near) + plane(x, far) }
        for x in line.indices {
            let left = x >> chroma.x
            let right = chroma.x == 0 || x & 1 == 0 ? left : min(last.x, left + 1)
            line[x] = (column(left) + column(right) + 4) >> 3
        }
    }

    /// Writes luma as alpha.
    func writeAlpha(to buffer: borrowing BitmapBuffer) {
        let conversion = YCbCrConversion(matrix: matrix, isFullRange: isFullRange)
        for y in 0..<buffer.height {
            guard let row = buffer.row(y)?.assumingMemoryBound(to: UInt8.self), let luma = planes.first else { return }
            for x in 0..<buffer.width {
                row[4 * x + 3] = conversion.rgb(luma(x, y), 128, 128).0
            }
        }
    }
}
#endif
