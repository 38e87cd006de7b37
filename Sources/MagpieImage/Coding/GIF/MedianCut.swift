#if GIF
/// Finds a palette for many colours by Heckbert's median cut: the space of colours is cut in two, again and again, where the
/// pixels are most and farthest apart.
struct MedianCut {
    /// The pixels that fall into a cell of the space, which is 5 bits a channel.
    private struct Cell {
        var sum = SIMD3<Int>(repeating: 0)
        var count = 0

        var color: SIMD3<Int> { sum / max(1, count) }
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
        var all = [Cell](repeating: Cell(), count: 1 << 15)
        for pixel in pixels {
            let color = UInt32(littleEndian: pixel)
            let cell = Self.cell(pixel)
            all[cell].sum &+= SIMD3<Int>(Int(color & 255), Int(color >> 8 & 255), Int(color >> 16 & 255))
            all[cell].count += 1
        }
        cells = all.filter { $0.count > 0 }
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
        var lowest = SIMD3<Int>(repeating: 255)
        var highest = SIMD3<Int>(repeating: 0)
        for cell in cells[box] {
            lowest = pointwiseMin(lowest, cell.color)
            highest = pointwiseMax(highest, cell.color)
        }
        let lengths = highest &- lowest
        let channel = (0..<3).max { lengths[$0] < lengths[$1] } ?? 0
        return (channel, lengths[channel])
    }

    private func mean(_ box: Range<Int>) -> UInt32 {
        let sum = cells[box].reduce(SIMD3<Int>(repeating: 0)) { $0 &+ $1.sum }
        let total = max(1, weight(box))
        let (red, green, blue) = (UInt32(sum.x / total), UInt32(sum.y / total), UInt32(sum.z / total))
        return UInt32(littleEndian: red | green << 8 | blue << 16 | 0xFF00_0000)
    }
}
#endif
