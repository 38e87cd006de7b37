/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Makes a size; negative sides are possible here and refused where they matter.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Written as `640x480`.
    public var description: String { "\(width)x\(height)" }

    /// The size with its sides exchanged.
    var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The size to decode a picture of this size at, so that it fits a thumbnail box.
    ///
    /// A picture that is no larger than the box in both directions keeps its size: a thumbnail never enlarges a whole picture.
    /// The same holds for a box with a side of 0 or less, which stands for "no box".
    /// - Parameters:
    ///   - box: The largest width and height.
    ///   - preservesAspectRatio: false gives exactly the box (one side may then grow).
    /// - Returns: Sides rounded half away from zero, each at least 1.
    public func fitted(into box: PixelSize, preservesAspectRatio: Bool = true) -> PixelSize {
        guard box.width > 0, box.height > 0, width > 0, height > 0, width > box.width || height > box.height else {
            return self
        }
        guard preservesAspectRatio else { return box }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        return PixelSize(
            width: min(box.width, Self.side(Double(width) * scale)),
            height: min(box.height, Self.side(Double(height) * scale))
        )
    }

    /// The size, with this ratio, of a picture whose pixels take no more bytes, at 4 a pixel; itself where it takes no more.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of all frames.
    ///   - frames: Number of frames that share them.
    /// - Returns: Sides rounded down, each at least 1.
    func bounded(byBytes bytes: Int, frames: Int = 1) -> PixelSize {
        let budget = max(0, bytes / 4 / max(1, frames))
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, overflow || pixels > budget else { return self }
        let ratio = Double(height) / Double(width)
        let across = (Double(budget) / ratio).squareRoot()
        return PixelSize(width: max(1, Int(across)), height: max(1, Int(across * ratio)))
    }

    /// A side of a scaled picture: rounded half away from zero, at least 1.
    static func side(_ length: Double) -> Int {
        max(1, Int(exactly: length.rounded(.toNearestOrAwayFromZero)) ?? Int.max)
    }
}
