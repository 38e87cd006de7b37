/// The rows of a BMP, each turned into red, green, blue and alpha where it lies.
struct BMPRows {
    private static let black = UInt32(0xFF00_0000).littleEndian

    private let header: BMPHeader
    private let reader: ByteReader
    /// A colour for each value of a byte, so that no index leaves it.
    private let colors: [UInt32]
    /// The picture written out, one byte a pixel, where the file holds run lengths.
    private let runLengths: BMPRunLengths?

    init(_ reader: ByteReader, header: BMPHeader, limits: ImageLimits) throws(ImageCodingError) {
        self.reader = reader
        self.header = header
        colors = header.palette + [UInt32](repeating: Self.black, count: 256 - header.palette.count)
        runLengths = header.compression == .runLengths ? try BMPRunLengths(reader, header: header, limits: limits) : nil
    }

    /// How many rows, in the order of the file, are whole.
    var wholeRows: Int {
        if let runLengths { return runLengths.wholeRows }
        return min(header.height, max(0, reader.count - header.pixelOffset) / header.bytesPerRow)
    }

    /// What breaks the rules of the format among the pixels; nil where nothing does.
    var fault: String? { runLengths?.fault }

    /// Writes a row, counted from the top as seen; one that the file does not hold is black.
    func read(_ row: Int, into target: UnsafeMutablePointer<UInt8>) {
        let stored = header.isTopDown ? row : header.height - 1 - row
        if let runLengths {
            for x in 0..<header.width { put(colors[Int(runLengths.pixel(x, stored))], at: x, of: target) }
            return
        }
        guard let bytes = reader.window(header.pixelOffset + stored * header.bytesPerRow, header.bytesPerRow) else {
            for x in 0..<header.width { put(Self.black, at: x, of: target) }
            return
        }
        switch header.bitsPerPixel {
        case 24: readColors(bytes, into: target)
        case 16, 32: readFields(bytes, into: target)
        default: readIndices(bytes, into: target)
        }
    }

    private func readColors(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) {
        for x in 0..<header.width {
            target[4 * x] = bytes[3 * x + 2]
            target[4 * x + 1] = bytes[3 * x + 1]
            target[4 * x + 2] = bytes[3 * x]
            target[4 * x + 3] = 255
        }
    }

    private func readFields(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) {
        let isWide = header.bitsPerPixel == 32
        let (red, green, blue, alpha) = (header.red, header.green, header.blue, header.alpha)
        for x in 0..<header.width {
            let pixel =
                isWide
                ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self))
                : UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)))
            target[4 * x] = red.value(of: pixel)
            target[4 * x + 1] = green.value(of: pixel)
            target[4 * x + 2] = blue.value(of: pixel)
            target[4 * x + 3] = alpha?.value(of: pixel) ?? 255
        }
    }

    private func readIndices(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) {
        let bits = header.bitsPerPixel
        let mask = UInt8(truncatingIfNeeded: (1 << bits) - 1)
        for x in 0..<header.width {
            let bit = x * bits
            let index = bytes[bit / 8] >> UInt8(8 - bits - bit % 8) & mask
            put(colors[Int(index)], at: x, of: target)
        }
    }

    private func put(_ color: UInt32, at x: Int, of target: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(target).storeBytes(of: color, toByteOffset: 4 * x, as: UInt32.self)
    }
}
