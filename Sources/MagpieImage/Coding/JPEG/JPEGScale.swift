/// How far libjpeg scales a picture down by itself, in the inverse DCT.
enum JPEGScale {
    /// How much larger than the target the inverse DCT must leave a picture for the filter to make up for its coarseness.
    ///
    /// Large pictures, where the time counts, are softer to begin with. See Documentation/decisions/0003-resampling.md.
    private static func reserve(_ stored: PixelSize) -> Double {
        stored.width * stored.height < 4_000_000 ? 3 : 1.9
    }

    /// The scale in eighths: the smallest power of two (those have vector code) that leaves enough.
    static func eighths(from stored: PixelSize, to target: PixelSize) -> UInt32 {
        let reserve = reserve(stored)
        for eighths in [1, 2, 4] {
            let width = Double((stored.width * eighths + 7) / 8)
            let height = Double((stored.height * eighths + 7) / 8)
            if width >= Double(target.width) * reserve, height >= Double(target.height) * reserve {
                return UInt32(eighths)
            }
        }
        return 8
    }
}
