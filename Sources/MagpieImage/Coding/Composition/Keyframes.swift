/// The frames of an animation from which on all looks the same, whatever came before them.
struct Keyframes {
    private var indices: [Int] = []

    init(_ parts: [FramePart], canvas: PixelSize) {
        // Whether the canvas is transparent when the frame comes.
        var isClear = true
        for (index, part) in parts.enumerated() {
            // What a covering frame gives back when it vanishes depends on those before all the same.
            let hidesAll = part.blend == .source && part.disposal != .restore && part.covers(canvas)
            if isClear || hidesAll { indices.append(index) }
            switch part.disposal {
            case .keep: isClear = false
            case .clear: isClear = isClear || part.covers(canvas)
            case .restore: break
            }
        }
    }

    /// The last of them up to and with a frame; the first frame always is one.
    func last(upTo index: Int) -> Int {
        let end = indices.partitioningIndex { $0 > index }
        return end > 0 ? indices[end - 1] : 0
    }

    func contains(_ index: Int) -> Bool {
        last(upTo: index) == index
    }
}

extension [Int] {
    /// The first place of a sorted array where the condition holds, by halving.
    fileprivate func partitioningIndex(where holds: (Int) -> Bool) -> Int {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if holds(self[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
