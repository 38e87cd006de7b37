/// What a JPEG may ask of its decoder.
extension JPEGHeader {
    /// Real files have a dozen scans.
    ///
    /// Each costs a pass over the whole picture, so that a file of hundreds is an attack, and all the more a large one.
    private static let scanLimit = 24...200
    private static let scannedPixelLimit = 4_000_000_000

    /// The most scans that are read.
    var affordableScans: Int32 {
        let scans = Self.scannedPixelLimit / max(1, width * height)
        return Int32(min(max(scans, Self.scanLimit.lowerBound), Self.scanLimit.upperBound))
    }

    /// Refuses what libjpeg does not decode, and what would take too much memory.
    func checkFeatures(limits: ImageLimits) throws(ImageCodingError) {
        guard bitsPerChannel == 8 else { throw .unsupportedFeature(.jpeg, "\(bitsPerChannel) bits a sample") }
        guard process != .other else { throw .unsupportedFeature(.jpeg, "lossless or hierarchical coding") }
        guard [1, 3, 4].contains(sampling.count) else {
            throw .unsupportedFeature(.jpeg, "\(sampling.count) colour components")
        }
        try limits.check(bytes: coefficientBytes)
    }

    /// What the header says, to everybody; a picture of too many pixels is refused.
    func info(limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
        try limits.check(width: width, height: height)
        return ImageInfo(
            format: .jpeg,
            width: width,
            height: height,
            orientation: orientation,
            bitsPerChannel: bitsPerChannel,
            colorSpace: colorSpace,
            isProgressive: process == .progressive
        )
    }
}
