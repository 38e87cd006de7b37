/// How a stored picture is to be turned to be seen upright: the values of EXIF tag 0x0112 (TIFF 6.0, Orientation).
///
/// Each case names where the stored first row and first column are seen.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable, Codable {
    /// 1: as stored.
    case up = 1
    /// 2: mirrored left to right.
    case upMirrored = 2
    /// 3: turned by 180 degrees.
    case down = 3
    /// 4: mirrored top to bottom.
    case downMirrored = 4
    /// 5: mirrored along the main diagonal (transposed).
    case leftMirrored = 5
    /// 6: to be turned clockwise by 90 degrees.
    case right = 6
    /// 7: mirrored along the other diagonal.
    case rightMirrored = 7
    /// 8: to be turned anticlockwise by 90 degrees.
    case left = 8

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size as seen of a picture stored at a size, and the other way round.
    public func displayed(_ stored: PixelSize) -> PixelSize {
        swapsSides ? stored.transposed : stored
    }
}
