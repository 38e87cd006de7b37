#if TIFF
import CTIFF

/// Converts gray of 16 bits, perhaps with alpha: libtiff's own routine cuts the lower byte off, and the alpha too.
enum TIFFDeepGray {
    /// Puts a rectangle of samples into the raster; the skews are what the rows of each have beside it, in pixels.
    static let put: tileContigRoutine = { image, raster, _, _, width, height, sourceSkew, rasterSkew, samples in
        guard let image = image?.pointee, var raster, let samples else { return }
        let channels = Int(image.samplesperpixel)
        let hasAlpha = image.alpha != 0 && channels > 1
        let isInverted = Int32(image.photometric) == PHOTOMETRIC_MINISWHITE
        var source = UnsafeRawPointer(samples)
        for _ in 0..<height {
            for _ in 0..<width {
                let stored = source.loadUnaligned(as: UInt16.self)
                let gray = rounded(isInverted ? ~stored : stored)
                let alpha = hasAlpha ? rounded(source.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) : 255
                raster.pointee = gray | gray << 8 | gray << 16 | alpha << 24
                raster += 1
                source += 2 * channels
            }
            raster += Int(rasterSkew)
            source += 2 * channels * Int(sourceSkew)
        }
    }

    private static func rounded(_ sample: UInt16) -> UInt32 { (UInt32(sample) + 128) / 257 }
}
#endif
