import Foundation

/// Rounds the corners of a picture, and draws a border along its edge.
public struct RoundCornerTransformer: ImageTransformer {
    /// A set of corners.
    public struct Corners: OptionSet, Sendable, Hashable {
        /// The bits, those of `UIRectCorner`.
        public let rawValue: UInt

        /// Makes a set of its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// At the left of the first row.
        public static let topLeft = Corners(rawValue: 1)
        /// At the right of the first row.
        public static let topRight = Corners(rawValue: 2)
        /// At the left of the last row.
        public static let bottomLeft = Corners(rawValue: 4)
        /// At the right of the last row.
        public static let bottomRight = Corners(rawValue: 8)
        /// All four.
        public static let all = Corners(rawValue: .max)
    }

    /// Pixels; more than half of the shorter side counts as that half.
    public let radius: Double
    /// Which corners are rounded.
    public let corners: Corners
    /// Pixels, inwards from the edge; half of the shorter side or more draws none, as in SDWebImage.
    public let borderWidth: Double
    /// What the border is drawn in.
    public let borderColor: PixelColor?

    /// Makes the transformer; lengths below 0, or that are not finite, count as 0.
    public init(radius: Double, corners: Corners = .all, borderWidth: Double = 0, borderColor: PixelColor? = nil) {
        self.radius = radius.isFinite ? max(0, radius) : 0
        self.corners = corners
        self.borderWidth = borderWidth.isFinite ? max(0, borderWidth) : 0
        self.borderColor = borderColor
    }

    /// `SDImageRoundCornerTransformer(radius,corners,borderWidth,borderColor)`: the key that SDWebImage gives it.
    public var key: String {
        let color = borderColor?.hexadecimal ?? "(null)"
        return String(format: "SDImageRoundCornerTransformer(%.6f,%lu,%.6f,", radius, corners.rawValue, borderWidth)
            + "\(color))"
    }

    /// Rounds; what is cut off is transparent, and the edge is smooth.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        try bitmap.withPremultipliedColors { (bitmap) throws(ImageCodingError) in
            let canvas = try BitmapBuffer(width: bitmap.width, height: bitmap.height, alpha: .premultiplied)
            let edge = RoundedEdge(size: bitmap.size, radius: radius, corners: corners)
            let border = visibleBorder(on: bitmap.size)
            bitmap.withUnsafeBytes { pixels in
                guard let pixels = pixels.baseAddress?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return }
                for y in 0..<bitmap.height {
                    guard let row = canvas.row(y)?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return }
                    let source = pixels + y * bitmap.width
                    for x in 0..<bitmap.width {
                        row[x] = Self.color(source[x], edge.depth(x: Double(x) + 0.5, y: Double(y) + 0.5), border)
                    }
                }
            }
            return canvas.finish(colorSpace: bitmap.colorSpace)
        }
    }

    private typealias Border = (width: Double, color: SIMD4<Float>)

    private func visibleBorder(on size: PixelSize) -> Border? {
        guard let borderColor, borderWidth > 0, borderWidth < Double(min(size.width, size.height)) / 2 else {
            return nil
        }
        return (borderWidth, borderColor.premultiplied)
    }

    /// A pixel whose middle lies so deep within the edge, in pixels.
    private static func color(_ pixel: SIMD4<UInt8>, _ depth: Double, _ border: Border?) -> SIMD4<UInt8> {
        if depth - (border?.width ?? 0) >= 0.5 { return pixel }
        let covered = Float(min(max(depth + 0.5, 0), 1))
        let own = SIMD4<Float>(pixel)
        var result = own * covered
        if let border {
            let inner = Float(min(max(depth - border.width + 0.5, 0), 1))
            let through = own * (1 - border.color.w / 255)
            result = own * inner + (border.color + through) * (covered - inner)
        }
        return SIMD4<UInt8>(
            result.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)),
            rounding: .toNearestOrEven
        )
    }
}

/// The outline of a rectangle with rounded corners.
private struct RoundedEdge {
    private let width: Double
    private let height: Double
    private let radius: Double
    private let corners: RoundCornerTransformer.Corners

    init(size: PixelSize, radius: Double, corners: RoundCornerTransformer.Corners) {
        width = Double(size.width)
        height = Double(size.height)
        self.radius = min(radius, min(width, height) / 2)
        self.corners = corners
    }

    /// How far a place lies within the outline; below 0 outside of it.
    func depth(x: Double, y: Double) -> Double {
        let (right, bottom) = (width - x, height - y)
        let (across, down) = (min(x, right), min(y, bottom))
        if across < radius, down < radius, corners.contains(corner(isLeft: x < right, isTop: y < bottom)) {
            let (dx, dy) = (radius - across, radius - down)
            return radius - (dx * dx + dy * dy).squareRoot()
        }
        return min(across, down)
    }

    private func corner(isLeft: Bool, isTop: Bool) -> RoundCornerTransformer.Corners {
        if isTop { return isLeft ? .topLeft : .topRight }
        return isLeft ? .bottomLeft : .bottomRight
    }
}

extension ImageTransformer where Self == RoundCornerTransformer {
    /// Rounds corners by a radius in pixels: `.rounded(radius: 48)`.
    public static func rounded(
        radius: Double,
        corners: RoundCornerTransformer.Corners = .all,
        borderWidth: Double = 0,
        borderColor: PixelColor? = nil
    ) -> RoundCornerTransformer {
        RoundCornerTransformer(radius: radius, corners: corners, borderWidth: borderWidth, borderColor: borderColor)
    }
}
