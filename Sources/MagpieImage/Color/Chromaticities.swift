/// Where red, green, blue and white of an RGB space lie: CIE 1931 x and y.
struct Chromaticities: Hashable, Sendable {
    var red: SIMD2<Double>
    var green: SIMD2<Double>
    var blue: SIMD2<Double>
    var white: SIMD2<Double>

    private static let d65 = SIMD2(0.3127, 0.3290)

    /// Those of sRGB and ITU-R BT.709.
    static let sRGB = Chromaticities(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: d65)

    init(red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    /// Those of a ColourPrimaries value of ITU-T H.273 (table 2); of one that says nothing, sRGB's.
    init(codePoint: Int) {
        switch codePoint {
        case 4:
            self.init(red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: [0.310, 0.316])
        case 5:
            self.init(red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06], white: Self.d65)
        case 6, 7:
            self.init(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070], white: Self.d65)
        case 8:
            self.init(red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: [0.310, 0.316])
        case 9:
            self.init(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: Self.d65)
        case 11:
            self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351])
        case 12:
            self.init(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: Self.d65)
        case 22:
            self.init(red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077], white: Self.d65)
        default:
            self = .sRGB
        }
    }

    /// Whether colours are the same to the eye: all places within a hundredth, as programs round them.
    func isClose(to other: Chromaticities) -> Bool {
        zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy { place, other in
            abs(place.x - other.x) < 0.01 && abs(place.y - other.y) < 0.01
        }
    }

    /// The columns of the matrix from linear RGB to CIE XYZ, white having a Y of 1; nil where the colours lie on a line.
    var toXYZ: [SIMD3<Double>]? {
        func xyz(_ place: SIMD2<Double>) -> SIMD3<Double> {
            SIMD3(place.x / place.y, 1, (1 - place.x - place.y) / place.y)
        }
        let columns = [xyz(red), xyz(green), xyz(blue)]
        guard let inverse = Self.inverse(columns) else { return nil }
        let amounts = Self.multiply(inverse, xyz(white))
        return [columns[0] * amounts.x, columns[1] * amounts.y, columns[2] * amounts.z]
    }

    /// The columns of the matrix from linear RGB of this space to that of sRGB; the white points are taken for one.
    var toLinearSRGB: [SIMD3<Double>] {
        guard let from = toXYZ, let to = Chromaticities.sRGB.toXYZ.flatMap(Self.inverse) else {
            return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        }
        return from.map { Self.multiply(to, $0) }
    }

    private static func multiply(_ columns: [SIMD3<Double>], _ vector: SIMD3<Double>) -> SIMD3<Double> {
        columns[0] * vector.x + columns[1] * vector.y + columns[2] * vector.z
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    private static func inverse(_ columns: [SIMD3<Double>]) -> [SIMD3<Double>]? {
        let rows = [
            cross(columns[1], columns[2]), cross(columns[2], columns[0]), cross(columns[0], columns[1]),
        ]
        let determinant = (columns[0] * rows[0]).sum()
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        let scaled = rows.map { $0 / determinant }
        return (0..<3).map { SIMD3(scaled[0][$0], scaled[1][$0], scaled[2][$0]) }
    }
}
