#if WebP
extension WebPContainer {
    /// What the chunks say, as the facts that all formats have.
    func info(limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: width, height: height)
        try limits.check(frameDurations: frames.map(\.duration), of: .webp)
        return ImageInfo(
            format: .webp,
            width: width,
            height: height,
            orientation: orientation,
            hasAlpha: hasAlpha,
            frameCount: isAnimated ? frames.count : 1,
            loopCount: isAnimated ? loopCount : nil,
            frameDurations: isAnimated ? frames.map(\.duration) : [],
            colorSpace: isLossless ? "rgb" : "ycbcr"
        )
    }
}
#endif
