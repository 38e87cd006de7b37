import Foundation

/// Writes an animation with libpng: the rectangle of each frame that differs from the frame before is made a PNG of its own,
/// whose data becomes that of the frame (PNG, third edition, §11.3.6).
struct APNGEncoding {
    private let frames: any ImageFrameSource
    private var file = PNGChunks()
    private var sequenceNumber: UInt32 = 0

    init(_ frames: any ImageFrameSource) {
        self.frames = frames
    }

    mutating func run() throws(ImageCodingError) -> Data {
        var before: Bitmap?
        for index in 0..<frames.frameCount {
            let frame = try frames.frame(at: index)
            // All frames have the colour type of the first.
            let alpha = before?.alpha ?? (frame.alpha == .opaque ? .opaque : .straight)
            let picture = try Self.picture(frame, alpha)
            if let before, before.size != picture.size {
                throw .cannotEncode(.apng, "its frames are of different sizes")
            }
            let rect = Self.difference(before, picture)
            let part = try CropTransformer(rect: rect).transform(picture)
            try PNGEncoding(bitmap: part).run().withReader { append(frame: $0, in: rect, index) }
            before = picture
        }
        file.append("IEND", [])
        return file.data
    }

    /// Takes the data out of a frame's own file, and of the first one's what all frames share.
    private mutating func append(frame: ByteReader, in rect: PixelRect, _ index: Int) {
        var pieces: [UnsafeRawBufferPointer] = []
        var offset = PNGChunks.signature.count
        while let chunk = PNGChunk(frame, at: offset), let whole = chunk.whole, !chunk.has("IEND") {
            offset = chunk.end
            if chunk.has("IDAT") {
                if let content = chunk.content() { pieces.append(content) }
            } else if index == 0 {
                file.append(whole: whole)
                if chunk.has("IHDR") { appendAnimationControl() }
            }
        }
        appendFrameControl(rect, index)
        if index == 0 { return file.append("IDAT", pieces) }
        nextSequenceNumber().withUnsafeBytes { file.append("fdAT", [$0] + pieces) }
    }

    private mutating func appendAnimationControl() {
        let counts = [frames.frameCount, frames.loopCount]
        file.append("acTL", counts.flatMap { PNGChunks.bytes(UInt32(clamping: $0)) })
    }

    /// The rectangle replaces what is there, and stays.
    private mutating func appendFrameControl(_ rect: PixelRect, _ index: Int) {
        var content = nextSequenceNumber()
        for number in [rect.width, rect.height, rect.x, rect.y] { content += PNGChunks.bytes(UInt32(number)) }
        let durations = frames.info.frameDurations
        let delay = Self.fraction(durations.indices.contains(index) ? durations[index] : 0)
        content += [UInt8(delay.0 >> 8), UInt8(delay.0 & 255), UInt8(delay.1 >> 8), UInt8(delay.1 & 255), 0, 0]
        file.append("fcTL", content)
    }

    private mutating func nextSequenceNumber() -> [UInt8] {
        defer { sequenceNumber += 1 }
        return PNGChunks.bytes(sequenceNumber)
    }

    /// Milliseconds as a fraction of a second, as exactly as 16 bits each can say it.
    private static func fraction(_ milliseconds: Double) -> (UInt16, UInt16) {
        guard milliseconds <= 65535 else { return (UInt16(min(milliseconds / 1000, 65535)), 1) }
        return (UInt16(max(0, milliseconds.rounded())), 1000)
    }

    private static func picture(_ frame: Bitmap, _ alpha: AlphaMode) throws(ImageCodingError) -> Bitmap {
        if frame.alpha == alpha { return frame }
        var copy = try BitmapBuffer(copying: frame)
        if frame.alpha == .premultiplied { copy.withUnsafeMutableBytes { Premultiplication.undo($0) } }
        copy.alpha = alpha
        return copy.finish(colorSpace: frame.colorSpace)
    }

    private static func difference(_ before: Bitmap?, _ picture: Bitmap) -> PixelRect {
        picture.withUnsafeBytes { after in
            guard let before else { return FrameDifference.rect(nil, after, size: picture.size) }
            return before.withUnsafeBytes { FrameDifference.rect($0, after, size: picture.size) }
        }
    }
}
