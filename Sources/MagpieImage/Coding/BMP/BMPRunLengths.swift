/// The pixels of a BMP in run lengths (BI_RLE8 and BI_RLE4), written out as a byte each.
///
/// Pixels that the file steps over have the first colour.
struct BMPRunLengths {
    private let width: Int
    private let height: Int
    private let isNibbles: Bool
    private var indices: [UInt8]
    private var x = 0
    private var y = 0
    /// How the data break the rules; nil where they do not.
    private(set) var fault: String?
    /// Rows in the order of the file that came before the data ended or broke.
    private(set) var wholeRows = 0

    init(_ reader: ByteReader, header: BMPHeader, limits: ImageLimits) throws(ImageCodingError) {
        width = header.width
        height = header.height
        isNibbles = header.bitsPerPixel == 4
        try limits.check(bytes: header.width * header.height)
        indices = [UInt8](repeating: 0, count: header.width * header.height)
        write(reader, from: header.pixelOffset)
    }

    /// A pixel, counted as the file stores them; the place must be inside of the picture.
    func pixel(_ x: Int, _ y: Int) -> UInt8 { indices[y * width + x] }

    private mutating func write(_ reader: ByteReader, from start: Int) {
        var offset = start
        while y < height, let count = reader.byte(offset), let value = reader.byte(offset + 1) {
            offset += 2
            switch (count, value) {
            case (0, 0):
                (x, y) = (0, y + 1)
            case (0, 1):
                wholeRows = height
                return
            case (0, 2):
                guard let right = reader.byte(offset), let down = reader.byte(offset + 1) else { break }
                x += Int(right)
                y += Int(down)
                offset += 2
            case (0, let literals):
                let bytes = isNibbles ? (Int(literals) + 1) / 2 : Int(literals)
                guard let window = reader.window(offset, bytes) else {
                    wholeRows = y
                    return
                }
                for index in 0..<Int(literals) {
                    put(isNibbles ? Self.nibble(window[index / 2], index) : window[index])
                }
                offset += (bytes + 1) / 2 * 2
            default:
                for index in 0..<Int(count) { put(isNibbles ? Self.nibble(value, index) : value) }
            }
            if fault != nil { return }
            wholeRows = min(y, height)
        }
        // A last row with no end behind it is whole all the same.
        if y == height - 1, x >= width { wholeRows = height }
    }

    private mutating func put(_ index: UInt8) {
        guard x < width, y < height else {
            fault = "a run of pixels leaves the picture"
            return
        }
        indices[y * width + x] = index
        x += 1
    }

    /// The upper half of a byte for an even index, else the lower one.
    private static func nibble(_ byte: UInt8, _ index: Int) -> UInt8 {
        index % 2 == 0 ? byte >> 4 : byte & 15
    }
}
