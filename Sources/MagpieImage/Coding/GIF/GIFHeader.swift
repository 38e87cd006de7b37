#if GIF
/// What the blocks of a GIF say without its pixels (GIF89a specification, §§17-27).
struct GIFHeader {
    /// An image descriptor, with the transparent colour that the graphic control extension before it names.
    struct Frame {
        var left = 0
        var top = 0
        var width = 0
        var height = 0
        var isInterlaced = false
        var transparentIndex: Int?
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var first = Frame()
    /// Hundredths of a second that each frame is shown.
    ///
    /// No more is kept of the later frames: a file of a few bytes a frame must not take many times its size.
    private(set) var delays: [UInt16] = []
    /// From the last loop extension; 1 where there is none.
    private(set) var loopCount = 1
    /// Whether any frame has a transparent colour.
    private var hasTransparentColor = false
    /// What the graphic control extension said last, for the frame behind it.
    private var nextDelay: UInt16 = 0
    private var nextTransparentIndex: Int?

    /// Reads to the trailer, or as far as the file goes in order.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let width = reader.littleEndian16(6), let height = reader.littleEndian16(8), let flags = reader.byte(10)
        else {
            throw .truncated(.gif, decodedRows: 0, ofRows: 0)
        }
        (self.width, self.height) = (width, height)
        var offset = 13 + Self.paletteBytes(flags)
        while let introducer = reader.byte(offset) {
            let end: Int?
            switch introducer {
            case 0x21: end = readExtension(reader, at: offset)
            case 0x2C: end = readFrame(reader, at: offset)
            default: end = nil
            }
            guard let end else { break }
            try limits.check(frames: delays.count, of: .gif)
            offset = end
        }
        guard !delays.isEmpty else {
            if reader.byte(offset) == nil { throw .truncated(.gif, decodedRows: 0, ofRows: height) }
            throw .corrupt(.gif, "there is no frame in it")
        }
        // Some files leave the canvas to the first frame.
        if width == 0 || height == 0 {
            (self.width, self.height) = (first.left + first.width, first.top + first.height)
        }
        guard self.width > 0, self.height > 0 else { throw .corrupt(.gif, "its frame has no size") }
    }

    /// Whether any frame has a transparent colour, or the first one does not cover the canvas.
    var hasAlpha: Bool {
        let covers =
            first.left == 0 && first.top == 0 && first.width >= width && first.height >= height
        return !covers || hasTransparentColor
    }

    private static func paletteBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// The offset behind the block; nil where the file ends within it.
    private mutating func readExtension(_ reader: ByteReader, at offset: Int) -> Int? {
        guard let label = reader.byte(offset + 1), let size = reader.byte(offset + 2) else { return nil }
        let content = offset + 3
        if label == 0xF9, size >= 4, let flags = reader.byte(content), let delay = reader.littleEndian16(content + 1),
            let index = reader.byte(content + 3)
        {
            nextDelay = UInt16(truncatingIfNeeded: delay)
            nextTransparentIndex = flags & 1 == 0 ? nil : Int(index)
        }
        if label == 0xFF, size == 11, reader.has("NETSCAPE2.0", at: content) || reader.has("ANIMEXTS1.0", at: content),
            let length = reader.byte(content + 11), length >= 3, reader.byte(content + 12) == 1,
            let count = reader.littleEndian16(content + 13)
        {
            loopCount = count
        }
        return skipBlocks(reader, from: offset + 2)
    }

    private mutating func readFrame(_ reader: ByteReader, at offset: Int) -> Int? {
        guard let left = reader.littleEndian16(offset + 1), let top = reader.littleEndian16(offset + 3),
            let width = reader.littleEndian16(offset + 5), let height = reader.littleEndian16(offset + 7),
            let flags = reader.byte(offset + 9)
        else { return nil }
        if delays.isEmpty {
            first = Frame(
                left: left,
                top: top,
                width: width,
                height: height,
                isInterlaced: flags & 0x40 != 0,
                transparentIndex: nextTransparentIndex
            )
        }
        delays.append(nextDelay)
        hasTransparentColor = hasTransparentColor || nextTransparentIndex != nil
        (nextDelay, nextTransparentIndex) = (0, nil)
        return skipBlocks(reader, from: offset + 10 + Self.paletteBytes(flags) + 1)
    }

    private func skipBlocks(_ reader: ByteReader, from start: Int) -> Int? {
        var offset = start
        while let size = reader.byte(offset) {
            offset += 1 + Int(size)
            if size == 0 { return offset }
        }
        return nil
    }
}
#endif
