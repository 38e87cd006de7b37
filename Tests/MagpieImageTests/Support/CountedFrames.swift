import MagpieImage

/// An animation whose frame n is a gradient with n in its blue, for encoders to write.
struct CountedFrames: ImageFrameSource {
    let info: ImageInfo

    init(_ durations: [Double], loopCount: Int, hasAlpha: Bool = false) {
        info = ImageInfo(
            format: .gif,
            width: 24,
            height: 16,
            hasAlpha: hasAlpha,
            frameCount: durations.count,
            loopCount: loopCount,
            frameDurations: durations
        )
    }

    func frame(at index: Int) throws(ImageCodingError) -> Bitmap {
        var buffer = try BitmapBuffer(
            width: info.width,
            height: info.height,
            alpha: info.hasAlpha ? .straight : .opaque
        )
        let (width, height, hasAlpha) = (info.width, info.height, info.hasAlpha)
        buffer.withUnsafeMutableBytes { bytes in
            for pixel in 0..<(width * height) {
                let (x, y) = (pixel % width, pixel / width)
                bytes[4 * pixel] = UInt8(x * 10)
                bytes[4 * pixel + 1] = UInt8(y * 15)
                bytes[4 * pixel + 2] = UInt8(index * 5)
                bytes[4 * pixel + 3] = hasAlpha ? UInt8(55 + x * 8) : 255
            }
        }
        return buffer.finish()
    }
}
