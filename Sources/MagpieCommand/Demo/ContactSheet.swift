import Magpie
import MagpieImage

/// Lays pictures out on one sheet, in rows of cells of one size, each picture in the middle of its cell.
struct ContactSheet {
    /// The box of one picture in pixels.
    static let cell = PixelSize(width: 320, height: 240)

    private static let gap = 16
    private static let columns = 4
    private static let background: (UInt8, UInt8, UInt8) = (28, 30, 36)

    /// The sheet of these pictures, which are cut to their cells if they are larger.
    static func make(of images: [WebImage]) throws(ImageCodingError) -> Bitmap {
        let rows = (images.count + columns - 1) / columns
        let width = columns * (cell.width + gap) + gap
        let height = rows * (cell.height + gap) + gap
        var sheet = try BitmapBuffer(width: width, height: height, alpha: .opaque)
        let rowLength = sheet.bytesPerRow
        sheet.withUnsafeMutableBytes { sheet in
            for pixel in stride(from: 0, to: sheet.count, by: 4) {
                (sheet[pixel], sheet[pixel + 1], sheet[pixel + 2]) = background
                sheet[pixel + 3] = 255
            }
            for (index, image) in images.enumerated() {
                let left = gap + index % columns * (cell.width + gap) + max(0, (cell.width - image.width) / 2)
                let top = gap + index / columns * (cell.height + gap) + max(0, (cell.height - image.height) / 2)
                draw(image.bitmap, on: sheet, rowLength: rowLength, at: top * rowLength + left * 4)
            }
        }
        return sheet.finish()
    }

    /// Puts a premultiplied picture over what is there.
    private static func draw(
        _ bitmap: Bitmap,
        on sheet: UnsafeMutableRawBufferPointer,
        rowLength: Int,
        at origin: Int
    ) {
        let width = min(bitmap.width, cell.width)
        bitmap.withUnsafeBytes { pixels in
            for y in 0..<min(bitmap.height, cell.height) {
                var from = y * bitmap.bytesPerRow
                var to = origin + y * rowLength
                for _ in 0..<width {
                    let rest = 255 - Int(pixels[from + 3])
                    for channel in 0..<3 {
                        let under = (Int(sheet[to + channel]) * rest + 127) / 255
                        sheet[to + channel] = UInt8(min(255, Int(pixels[from + channel]) + under))
                    }
                    from += 4
                    to += 4
                }
            }
        }
    }
}
