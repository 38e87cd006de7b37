#if GIF
/// What the blocks of a GIF say without its pixels (GIF89a specification, §§17-27).
struct GIFHeader {
    /// An image descriptor, with what the graphic control extension before it says.
    struct Frame {
        /// Where the descriptor stands in the file.
        let offset: Int
        let part: FramePart
        let isInterlaced: Bool
        let transparentIndex: Int?
        /// Hundredths of a second.
        let delay: UInt16
    }

    /// A graphic control extension, which holds for the frame behind it (§23).
    private struct Control {
        var delay: UInt16 = 0
        var transparentIndex: Int?
        var disposal = FramePart.Disposal.keep
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var frames: [Frame] = []
    /// The bytes before the first block: signature, screen descriptor, palette.
    let bytesBeforeBlocks: Int
    /// From the last loop extension; 1 where there is none.
    private(set) var loopCount = 1
    private let globalColors: Int
    private var control = Control()

    /// Reads to the trailer, or as far as the file goes in order.
    init(_ reader: ByteReader, limits: ImageLimits) throws(ImageCodingError) {
        guard let width = reader.littleEndian16(6), let height = reader.littleEndian16(8), let flags = reader.byte(10)
        else {
            throw .truncated(.gif, decodedRows: 0, ofRows: 0)
        }
        (self.width, self.height) = (width, height)
        globalColors = Self.paletteColors(flags)
        bytesBeforeBlocks = 13 + 3 * globalColors
        var offset = bytesBeforeBlocks
        while let introducer = reader.byte(offset) {
            let end: Int?
            switch introducer {
            case 0x21: end = readExtension(reader, at: offset)
            case 0x2C: end = readFrame(reader, at: offset)
            default: end = nil
            }
            guard let end else { break }
            try limits.check(frames: frames.count, of: .gif)
            offset = end
        }
        guard let first = frames.first else {
            if reader.byte(offset) == nil { throw .truncated(.gif, decodedRows: 0, ofRows: height) }
            throw .corrupt(.gif, "there is no frame in it")
        }
        // Some files leave the canvas to the first frame.
        if width == 0 || height == 0 {
            let rect = first.part.rect
            (self.width, self.height) = (rect.x + rect.width, rect.y + rect.height)
        }
        guard self.width > 0, self.height > 0 else { throw .corrupt(.gif, "its frame has no size") }
    }

    /// Whether any frame has a transparent colour, or the first one does not cover the canvas.
    var hasAlpha: Bool {
        let covers = frames.first?.part.covers(PixelSize(width: width, height: height)) ?? false
        return !covers || frames.contains { $0.transparentIndex != nil }
    }

    private static func paletteColors(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 2 << Int(flags & 7)
    }

    /// The offset behind the block; nil where the file ends within it.
    private mutating func readExtension(_ reader: ByteReader, at offset: Int) -> Int? {
        guard let label = reader.byte(offset + 1), let size = reader.byte(offset + 2) else { return nil }
        let content = offset + 3
        if label == 0xF9, size >= 4, let flags = reader.byte(content), let delay = reader.littleEndian16(content + 1),
            let index = reader.byte(content + 3)
        {
            control.delay = UInt16(truncatingIfNeeded: delay)
            control.transparentIndex = flags & 1 == 0 ? nil : Int(index)
            control.disposal = Self.disposal(flags >> 2 & 7)
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
        let colors = Self.paletteColors(flags)
        let data = offset + 10 + 3 * colors
        // An index that no palette has is transparent.
        let indices = 1 << Int(min(reader.byte(data) ?? 8, 8))
        let isOpaque = control.transparentIndex == nil && indices <= (colors > 0 ? colors : globalColors)
        frames.append(
            Frame(
                offset: offset,
                part: FramePart(
                    rect: PixelRect(x: left, y: top, width: width, height: height),
                    blend: isOpaque ? .source : .over,
                    disposal: control.disposal
                ),
                isInterlaced: flags & 0x40 != 0,
                transparentIndex: control.transparentIndex,
                delay: control.delay
            )
        )
        control = Control()
        return skipBlocks(reader, from: data + 1)
    }

    /// 4 is what some programs write for 3, as browsers know.
    private static func disposal(_ method: UInt8) -> FramePart.Disposal {
        switch method {
        case 2: .clear
        case 3, 4: .restore
        default: .keep
        }
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
