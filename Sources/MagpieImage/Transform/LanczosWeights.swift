import Foundation

/// For every pixel of a scaled line: which source pixels it is made of, and with what weights (Lanczos, three lobes).
///
/// Scaling down widens the filter by the scale, so that no source pixel is skipped. Weights of a pixel sum to 1; at the
/// edges the filter is cut off and the rest made to sum to 1.
struct LanczosWeights {
    private static let lobes = 3.0

    /// First source pixel of each target pixel.
    let starts: [Int]
    /// The weights of each target pixel from its first source pixel on, all with ``taps`` places, unused ones 0 at the end.
    let weights: [Float]
    /// How many weights each target pixel really has.
    let counts: [Int]
    /// Places for weights that each target pixel has: enough for all, and a multiple of four.
    let taps: Int

    /// - Parameters:
    ///   - source: Length of the source line, at least 1.
    ///   - region: The part of it that becomes the target line, in source pixels; may begin and end between pixels.
    ///   - target: Length of the target line, at least 1.
    init(source: Int, region: Range<Double>, target: Int) {
        let scale = (region.upperBound - region.lowerBound) / Double(target)
        let filterScale = max(1, scale)
        let support = Self.lobes * filterScale
        let mostTaps = min(source, Int(support.rounded(.up)) * 2 + 1)
        taps = (mostTaps + 3) / 4 * 4
        var starts = [Int](repeating: 0, count: target)
        var counts = starts
        var weights = [Float](repeating: 0, count: target * taps)
        var line = [Double](repeating: 0, count: taps)
        for index in 0..<target {
            let center = region.lowerBound + (Double(index) + 0.5) * scale
            let first = max(0, min(source - 1, Int((center - support + 0.5).rounded(.down))))
            let end = max(first + 1, min(source, first + mostTaps, Int((center + support + 0.5).rounded(.down))))
            var sum = 0.0
            for pixel in first..<end {
                line[pixel - first] = Self.lanczos((Double(pixel) + 0.5 - center) / filterScale)
                sum += line[pixel - first]
            }
            starts[index] = first
            counts[index] = end - first
            for tap in 0..<(end - first) {
                weights[index * taps + tap] = sum == 0 ? 0 : Float(line[tap] / sum)
            }
        }
        self.starts = starts
        self.counts = counts
        self.weights = weights
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= lobes { return 0 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }
}
