/// The picture that the frames of an animation are laid upon, transparent at first; straight RGBA.
final class Canvas {
    let size: PixelSize
    /// What the colours mean.
    var colorSpace = ColorSpace.sRGB
    /// The pixels.
    private(set) var buffer: BitmapBuffer
    /// What lay under a frame that is to vanish again.
    private var saved: BitmapBuffer?

    init(_ size: PixelSize) throws(ImageCodingError) {
        self.size = size
        buffer = try BitmapBuffer(width: size.width, height: size.height, alpha: .straight)
    }

    /// Makes a copy of the pixels.
    convenience init(copying other: Canvas) throws(ImageCodingError) {
        try self.init(other.size)
        copy(other)
    }

    /// Takes the pixels of a canvas of the same size over.
    func copy(_ other: Canvas) {
        guard size == other.size else { return }
        buffer.storage.bytes.copyMemory(from: UnsafeRawBufferPointer(other.buffer.storage.bytes))
    }

    /// The pixels of a row; nil outside of the canvas.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt32>? {
        buffer.row(index)?.assumingMemoryBound(to: UInt32.self)
    }

    /// The pixels from the first one of a rectangle to the end of the canvas.
    func memory(from rect: PixelRect) -> UnsafeMutableRawBufferPointer {
        guard let rect = rect.clipped(to: size) else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        let start = rect.y * buffer.bytesPerRow + rect.x * PixelFormat.rgba8.bytesPerPixel
        return UnsafeMutableRawBufferPointer(rebasing: buffer.storage.bytes[start...])
    }

    /// Makes everything transparent.
    func clear() {
        clear(PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    }

    /// Makes a rectangle transparent.
    func clear(_ rect: PixelRect) {
        guard let rect = rect.clipped(to: size) else { return }
        for y in rect.y..<(rect.y + rect.height) {
            row(y).map { ($0 + rect.x).update(repeating: 0, count: rect.width) }
        }
    }

    /// Remembers a rectangle, for ``restore(_:)``.
    func save(_ rect: PixelRect) throws(ImageCodingError) {
        saved = nil
        guard let rect = rect.clipped(to: size) else { return }
        let copy = try BitmapBuffer(width: rect.width, height: rect.height, alpha: .straight)
        for y in 0..<rect.height {
            guard let from = row(rect.y + y) else { continue }
            copy.row(y)?.copyMemory(from: from + rect.x, byteCount: copy.bytesPerRow)
        }
        saved = consume copy
    }

    /// Puts back what ``save(_:)`` remembered of the rectangle.
    func restore(_ rect: PixelRect) {
        guard let rect = rect.clipped(to: size), let saved = saved.take() else { return }
        for y in 0..<rect.height {
            guard let from = saved.row(y), let to = row(rect.y + y) else { continue }
            UnsafeMutableRawPointer(to + rect.x).copyMemory(from: from, byteCount: saved.bytesPerRow)
        }
    }

    /// Lays the first rows of a frame, which follow each other without a gap, into its rectangle.
    ///
    /// - Parameter part: Its rectangle lies within the canvas.
    func lay(_ frame: UnsafeRawBufferPointer, rows: Int, in part: FramePart) {
        let rect = part.rect
        let pixels = frame.assumingMemoryBound(to: UInt32.self)
        guard rect.clipped(to: size) == rect, let start = pixels.baseAddress else { return }
        for y in 0..<min(rows, rect.height, pixels.count / rect.width) {
            guard let to = row(rect.y + y) else { return }
            let from = start + y * rect.width
            switch part.blend {
            case .source: (to + rect.x).update(from: from, count: rect.width)
            case .over: AlphaBlending.lay(from, over: to + rect.x, count: rect.width)
            }
        }
    }
}
