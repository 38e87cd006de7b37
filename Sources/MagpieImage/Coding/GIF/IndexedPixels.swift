#if GIF
/// Pixels as indices into a palette of their own, at most 255 colours and one for what is transparent.
struct IndexedPixels {
    /// Opaque colours.
    let palette: [UInt32]
    /// Rows without a gap.
    private(set) var indices: [UInt8]
    /// The index of transparent pixels: the one behind the palette.
    var transparentIndex: Int { palette.count }

    private static let mostColors = 255

    /// Finds the palette; where there are more colours than it holds, they are dithered.
    ///
    /// - Parameter pixels: RGBA, transparent ones being 0 and the others opaque.
    init(_ pixels: [UInt32], width: Int) {
        var numbers: [UInt32: UInt8] = [:]
        var isExact = true
        for pixel in pixels where pixel != 0 && numbers[pixel] == nil {
            if numbers.count == Self.mostColors {
                isExact = false
                break
            }
            numbers[pixel] = UInt8(numbers.count)
        }
        if isExact {
            palette = numbers.sorted { $0.value < $1.value }.map(\.key)
            let transparent = UInt8(palette.count)
            indices = pixels.map { numbers[$0] ?? transparent }
        } else {
            palette = MedianCut.palette(pixels.filter { $0 != 0 }, most: Self.mostColors)
            indices = []
            dither(pixels, width: width)
        }
    }

    /// Hands the error of each pixel on to its neighbours (Floyd and Steinberg).
    private mutating func dither(_ pixels: [UInt32], width: Int) {
        let colors = palette.map(Self.channels)
        // Nearest colours, by cell, once looked for.
        var nearest = [Int](repeating: -1, count: 1 << 15)
        // Sixteenths of the errors of a row and the next; one place more at either end.
        var here = [SIMD3<Int32>](repeating: .zero, count: width + 2)
        var below = here
        indices = [UInt8](repeating: UInt8(transparentIndex), count: pixels.count)
        for (at, pixel) in pixels.enumerated() {
            let column = at % width + 1
            if column == 1, at > 0 {
                here = below
                below = [SIMD3<Int32>](repeating: .zero, count: width + 2)
            }
            if pixel == 0 { continue }
            let carried = (here[column] &+ 8) &>> 4
            let wanted = (Self.channels(pixel) &+ carried)
                .clamped(lowerBound: .zero, upperBound: SIMD3<Int32>(repeating: 255))
            let cell = MedianCut.cell(Self.pixel(wanted))
            if nearest[cell] < 0 { nearest[cell] = Self.nearest(to: wanted, in: colors) }
            indices[at] = UInt8(nearest[cell])
            let error = wanted &- colors[nearest[cell]]
            here[column + 1] &+= error &* 7
            below[column - 1] &+= error &* 3
            below[column] &+= error &* 5
            below[column + 1] &+= error
        }
    }

    private static func nearest(to wanted: SIMD3<Int32>, in colors: [SIMD3<Int32>]) -> Int {
        let distances = colors.map { color in
            let difference = wanted &- color
            return (difference &* difference).wrappedSum()
        }
        return distances.indices.min { distances[$0] < distances[$1] } ?? 0
    }

    private static func channels(_ pixel: UInt32) -> SIMD3<Int32> {
        let color = UInt32(littleEndian: pixel)
        return SIMD3<Int32>(Int32(color & 255), Int32(color >> 8 & 255), Int32(color >> 16 & 255))
    }

    private static func pixel(_ channels: SIMD3<Int32>) -> UInt32 {
        let color = UInt32(channels.x) | UInt32(channels.y) << 8 | UInt32(channels.z) << 16
        return UInt32(littleEndian: color | 0xFF00_0000)
    }
}
#endif
