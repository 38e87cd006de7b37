import MagpieImage

/// An animation of flat pictures, each with its number as its red, shown for 100 ms.
struct NumberedFrames: ImageFrameSource {
    let info: ImageInfo
    /// A frame that cannot be decoded.
    var damaged: Int?

    init(_ count: Int, loops: Int = 0, duration: Double = 100) {
        info = ImageInfo(
            format: .gif,
            width: 4,
            height: 2,
            frameCount: count,
            loopCount: loops,
            frameDurations: [Double](repeating: duration, count: count)
        )
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        guard (0..<frameCount).contains(index) else { throw .noSuchFrame(index, of: frameCount) }
        if index == damaged { throw .corrupt(.gif, "the test wants it so") }
        var buffer = try BitmapBuffer(width: info.width, height: info.height, alpha: .opaque)
        buffer.withUnsafeMutableBytes { bytes in
            for at in stride(from: 0, to: bytes.count, by: 4) { (bytes[at], bytes[at + 3]) = (UInt8(index), 255) }
        }
        return buffer.finish()
    }
}
