extension PNGHeader {
    /// What the chunks say, as the facts that all formats have.
    func info(limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: width, height: height)
        try limits.check(frameDurations: frames.map(\.duration), of: .apng)
        return ImageInfo(
            format: playCount == nil ? .png : .apng,
            width: width,
            height: height,
            orientation: orientation,
            hasAlpha: hasAlpha,
            frameCount: max(1, frames.count),
            loopCount: playCount,
            frameDurations: frames.map(\.duration),
            bitsPerChannel: colorType == 3 ? 8 : bitDepth,
            colorSpace: colorSpace,
            isProgressive: isInterlaced
        )
    }
}
