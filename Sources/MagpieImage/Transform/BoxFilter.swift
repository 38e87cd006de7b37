/// Averages along lines of pixels, three times over.
struct BoxFilter {
    /// Lines that are done together, so that a walk down the columns uses whole cache lines.
    private static let mostLines = 16
    /// The widest box whose sum fits 32 bits, colours being counted in 256ths between the passes.
    private static let widest = 32767.0

    /// How many pixels on either side of one are averaged with it.
    private let reach: Int

    /// - Parameter sigma: The standard deviation of the Gaussian filter that three boxes come near to.
    init(sigma: Double) {
        let width = min((sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down), Self.widest)
        // An even box has no middle; the next wider one has.
        reach = Int(width) / 2
    }

    /// Filters every line in place.
    ///
    /// - Parameters:
    ///   - pixels: The first pixel of the first line.
    ///   - lines: Number of lines.
    ///   - lineStep: Pixels from the beginning of a line to that of the next.
    ///   - count: Pixels in a line.
    ///   - step: Pixels from one to the next in a line.
    func apply(
        to pixels: UnsafeMutablePointer<SIMD4<UInt8>>,
        lines: Int,
        lineStep: Int,
        count: Int,
        step: Int
    ) throws(ImageCodingError) {
        let together = step == 1 ? 1 : min(Self.mostLines, lines)
        let length = count * together
        guard let memory = PixelStorage(byteCount: 2 * length * MemoryLayout<SIMD4<Int32>>.stride) else {
            throw .outOfMemory(bytes: 2 * length * MemoryLayout<SIMD4<Int32>>.stride)
        }
        guard let first = memory.bytes.baseAddress?.assumingMemoryBound(to: SIMD4<Int32>.self) else { return }
        let second = first + length
        for start in stride(from: 0, to: lines, by: together) {
            let group = min(together, lines - start)
            let origin = pixels + start * lineStep
            for index in 0..<count {
                for line in 0..<group {
                    first[line * count + index] =
                        SIMD4<Int32>(truncatingIfNeeded: origin[line * lineStep + index * step]) &<< 8
                }
            }
            for line in 0..<group {
                average(first + line * count, into: second + line * count, count)
                average(second + line * count, into: first + line * count, count)
                average(first + line * count, into: second + line * count, count)
            }
            for index in 0..<count {
                for line in 0..<group {
                    let color = (second[line * count + index] &+ 128) &>> 8
                    origin[line * lineStep + index * step] = SIMD4<UInt8>(truncatingIfNeeded: color)
                }
            }
        }
    }

    private func average(
        _ line: UnsafePointer<SIMD4<Int32>>,
        into result: UnsafeMutablePointer<SIMD4<Int32>>,
        _ count: Int
    ) {
        let share = 1 / Float(2 * reach + 1)
        var sum = line[0] &* Int32(truncatingIfNeeded: reach)
        for index in 0...reach { sum &+= line[min(index, count - 1)] }
        for index in 0..<count {
            result[index] = SIMD4<Int32>(SIMD4<Float>(sum) * share, rounding: .toNearestOrEven)
            sum &+= line[min(index + reach + 1, count - 1)] &- line[max(index - reach, 0)]
        }
    }
}
