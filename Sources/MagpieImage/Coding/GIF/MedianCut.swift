#if GIF
/// Finds a palette for many colours by Heckbert's median cut: the space of colours is cut in two, again and again, where the
/// pixels are most and farthest apart.
struct MedianCut {
    /// A cell of the space, 5 bits a channel, with the pixels that fall into it.
    private struct Cell {
        var color: SIMD3<Int32>
        var count: Int
    }

    private var cells: [Cell]
    /// Ranges of the cells.
    private var boxes: [Range<Int>]

    /// The colours of pixels, opaque ones only, and at most so many of them.
    static func palette(_ pixels: [UInt32], most: Int) -> [UInt32] {
        var cut = MedianCut(pixels)
        while cut.boxes.count < most, cut.splitWidest() {}
        return cut.boxes.map(cut.mean)
    }

    private init(_ pixels: [UInt32]) {
        var counts = [Int](repeating: 0, count: 1 << 15)
        for pixel in pixels { counts[Self.cell(pixel)] += 1 }
        cells = counts.indices.filter { counts[$0] > 0 }.map { index in
            let corner = SIMD3<Int32>(Int32(index & 31), Int32(index >> 5 & 31), Int32(index >> 10)) &* 8
            return Cell(color: corner &+ 4, count: counts[index])
        }
        boxes = [cells.indices]
    }

    /// The cell of a colour, of 32 768.
    static func cell(_ pixel: UInt32) -> Int {
        let color = UInt32(littleEndian: pixel)
        let (red, green, blue) = (color >> 3 & 31, color >> 11 & 31, color >> 19 & 31)
        return Int(red | green << 5 | blue << 10)
    }

    /// Cuts the box in two that matters most; false where none is left that can be cut.
    private mutating func splitWidest() -> Bool {
        let weights = boxes.map { box in box.count > 1 ? extent(box).length * weight(box) : 0 }
        guard let widest = weights.indices.max(by: { weights[$0] < weights[$1] }), weights[widest] > 0 else {
            return false
        }
        let box = boxes[widest]
        let channel = extent(box).channel
        cells[box].sort { $0.color[channel] < $1.color[channel] }
        let half = weight(box) / 2
        var (middle, sum) = (box.lowerBound, 0)
        repeat {
            sum += cells[middle].count
            middle += 1
        } while sum < half && middle < box.upperBound - 1
        boxes[widest] = box.lowerBound..<middle
        boxes.append(middle..<box.upperBound)
        return true
    }

    private func weight(_ box: Range<Int>) -> Int {
        cells[box].reduce(0) { $0 + $1.count }
    }

    /// The channel in which the colours of a box are farthest apart, and how far.
    private func extent(_ box: Range<Int>) -> (channel: Int, length: Int) {
        var lowest = SIMD3<Int32>(repeating: 255)
        var highest = SIMD3<Int32>(repeating: 0)
        for cell in cells[box] {
            lowest = pointwiseMin(lowest, cell.color)
            highest = pointwiseMax(highest, cell.color)
        }
        let lengths = highest &- lowest
        let channel = (0..<3).max { lengths[$0] < lengths[$1] } ?? 0
        return (channel, Int(lengths[channel]))
    }

    private func mean(_ box: Range<Int>) -> UInt32 {
        var sum = SIMD3<Int>(repeating: 0)
        for cell in cells[box] { sum &+= SIMD3<Int>(truncatingIfNeeded: cell.color) &* cell.count }
        let total = max(1, weight(box))
        let (red, green, blue) = (UInt32(sum.x / total), UInt32(sum.y / total), UInt32(sum.z / total))
        return UInt32(littleEndian: red | green << 8 | blue << 16 | 0xFF00_0000)
    }
}
#endif
