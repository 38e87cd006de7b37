import Foundation

/// Turns a picture about its middle.
///
/// Quarter turns move pixels and change none, as long as the canvas may change its shape with the picture. Other angles
/// sample with a cubic filter (Catmull-Rom) on premultiplied colours, with smooth edges, and what the picture leaves free is
/// transparent.
public struct RotateTransformer: ImageTransformer {
    /// Radians, anticlockwise as seen.
    public let angle: Double
    /// true enlarges the canvas so that all of the picture is on it; false keeps its size and cuts the corners off.
    public let fitsSize: Bool

    /// Makes the transformer; an angle that is not finite counts as 0.
    public init(angle: Double, fitsSize: Bool = true) {
        self.angle = angle.isFinite ? angle : 0
        self.fitsSize = fitsSize
    }

    /// `SDImageRotationTransformer(angle,fitsSize)`, the angle with six decimals: the key that SDWebImage gives it.
    public var key: String { String(format: "SDImageRotationTransformer(%.6f,%d)", angle, fitsSize ? 1 : 0) }

    /// Turns.
    public func transform(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        let turns = angle.remainder(dividingBy: 2 * .pi) / (.pi / 2)
        let quarter = turns.rounded()
        if abs(turns - quarter) < 1e-6,
            fitsSize || quarter.truncatingRemainder(dividingBy: 2) == 0
                || bitmap.width == bitmap.height
        {
            return try bitmap.upright(from: Self.quarterTurn(quarter))
        }
        return try bitmap.withPremultipliedColors { (bitmap) throws(ImageCodingError) in try sample(bitmap) }
    }

    private static func quarterTurn(_ quarter: Double) -> ImageOrientation {
        switch quarter {
        case 1: .left
        case -1: .right
        case 2, -2: .down
        default: .up
        }
    }

    private func sample(_ bitmap: Bitmap) throws(ImageCodingError) -> Bitmap {
        let (sine, cosine) = (sin(angle), cos(angle))
        let size = fitsSize ? Self.bounds(of: bitmap.size, sine, cosine) : bitmap.size
        let canvas = try BitmapBuffer(width: size.width, height: size.height, alpha: .premultiplied)
        let sampler = CubicSampler(size: bitmap.size)
        bitmap.withUnsafeBytes { pixels in
            guard let pixels = pixels.baseAddress?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return }
            for y in 0..<size.height {
                guard let row = canvas.row(y)?.assumingMemoryBound(to: SIMD4<UInt8>.self) else { return }
                let down = Double(y) + 0.5 - Double(size.height) / 2
                for x in 0..<size.width {
                    let right = Double(x) + 0.5 - Double(size.width) / 2
                    row[x] = sampler.color(
                        in: pixels,
                        x: right * cosine - down * sine + Double(bitmap.width) / 2,
                        y: right * sine + down * cosine + Double(bitmap.height) / 2
                    )
                }
            }
        }
        return canvas.finish(colorSpace: bitmap.colorSpace)
    }

    /// The smallest canvas that holds a turned picture; a hair's breadth over a whole pixel does not count.
    private static func bounds(of size: PixelSize, _ sine: Double, _ cosine: Double) -> PixelSize {
        func side(_ along: Int, _ across: Int) -> Int {
            let length = Double(along) * abs(cosine) + Double(across) * abs(sine)
            return PixelSize.side((length - 1e-6).rounded(.up))
        }
        return PixelSize(width: side(size.width, size.height), height: side(size.height, size.width))
    }
}

/// Reads premultiplied pixels at places between them, with the filter of Catmull and Rom; outside is transparent.
private struct CubicSampler {
    let size: PixelSize

    func color(in pixels: UnsafePointer<SIMD4<UInt8>>, x: Double, y: Double) -> SIMD4<UInt8> {
        guard x > -2, y > -2, x < Double(size.width + 2), y < Double(size.height + 2) else { return .zero }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let columns = Self.weights(Float(x - 0.5 - left))
        let rows = Self.weights(Float(y - 0.5 - top))
        var sum = SIMD4<Float>.zero
        for row in 0..<4 {
            let at = Int(top) - 1 + row
            guard at >= 0, at < size.height else { continue }
            var line = SIMD4<Float>.zero
            for column in 0..<4 {
                let across = Int(left) - 1 + column
                guard across >= 0, across < size.width else { continue }
                line += SIMD4<Float>(pixels[at * size.width + across]) * columns[column]
            }
            sum += line * rows[row]
        }
        let alpha = min(max(sum.w, 0), 255)
        return SIMD4<UInt8>(
            sum.clamped(lowerBound: .zero, upperBound: .init(repeating: alpha)),
            rounding: .toNearestOrEven
        )
    }

    /// The weights of the four neighbours of a place that lies so far, 0…1, behind the second.
    private static func weights(_ t: Float) -> SIMD4<Float> {
        let (t2, t3) = (t * t, t * t * t)
        return SIMD4(-t + 2 * t2 - t3, 2 - 5 * t2 + 3 * t3, t + 4 * t2 - 3 * t3, t3 - t2) / 2
    }
}

extension ImageTransformer where Self == RotateTransformer {
    /// Turns anticlockwise by an angle in radians: `.rotate(angle: .pi / 2)`.
    public static func rotate(angle: Double, fitsSize: Bool = true) -> RotateTransformer {
        RotateTransformer(angle: angle, fitsSize: fitsSize)
    }
}
