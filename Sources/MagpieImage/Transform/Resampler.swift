/// Scales a picture whose rows come one by one, top to bottom, with a Lanczos filter of three lobes.
///
/// Rows are premultiplied or opaque RGBA of 8 or 16 bits a channel. A row is scaled sideways as it comes and kept in a ring until the last
/// target row that needs it is done, so the memory is a few rows of each size, never the picture. All arithmetic is done
/// in single precision and rounded once, at the end.
final class Resampler {
    private let horizontal: LanczosWeights
    private let vertical: LanczosWeights
    private let source: PixelSize
    private let target: PixelSize
    private let format: PixelFormat
    private let ringRows: Int
    /// The source row as floats and its padding, then the ring, then one row of sums; four floats a pixel throughout.
    private let memory: PixelStorage
    private var rowsTaken = 0
    private var rowsGiven = 0

    private static let channels = 4
    /// Zero pixels behind the source row, so that weights can be taken four at a time.
    private static let padding = 3

    /// - Parameters:
    ///   - source: Size of the picture that comes.
    ///   - columns: Its part from left to right that is wanted; nil for all of it.
    ///   - rows: Its part from top to bottom that is wanted; nil for all of it.
    ///   - target: Size to make of it.
    ///   - format: That of the rows taken and given.
    init(
        source: PixelSize,
        columns: Range<Double>? = nil,
        rows: Range<Double>? = nil,
        target: PixelSize,
        format: PixelFormat = .rgba8
    ) throws(ImageCodingError) {
        guard let _ = BitmapBuffer.byteCount(width: source.width, height: source.height),
            let _ = BitmapBuffer.byteCount(width: target.width, height: target.height)
        else { throw .outOfMemory(bytes: Int.max) }
        self.source = source
        self.target = target
        self.format = format
        horizontal = LanczosWeights(
            source: source.width,
            region: columns ?? 0..<Double(source.width),
            target: target.width
        )
        vertical = LanczosWeights(
            source: source.height,
            region: rows ?? 0..<Double(source.height),
            target: target.height
        )
        ringRows = vertical.taps
        let (ringPixels, overflow) = target.width.multipliedReportingOverflow(by: ringRows + 1)
        // Four floats for each pixel: the size of a picture four pixels wide.
        let byteCount = BitmapBuffer.byteCount(
            width: Self.channels,
            height: source.width + Self.padding + ringPixels
        )
        guard !overflow, let byteCount, let memory = PixelStorage(byteCount: byteCount) else {
            throw .outOfMemory(bytes: byteCount ?? Int.max)
        }
        self.memory = memory
    }

    /// About how many bytes scaling takes beside the result; the largest integer where they do not fit one.
    static func memory(source: PixelSize, target: PixelSize) -> Int {
        let rows = 6 * max(1, Double(source.height) / Double(target.height)) + 8
        let weights = 24 * (Double(source.width) + Double(target.width) + Double(source.height) + Double(target.height))
        return Int(exactly: (weights + 20 * Double(source.width) + 16 * rows * Double(target.width)).rounded())
            ?? Int.max
    }

    /// Takes the next source row.
    ///
    /// Call ``give(_:clampsToAlpha:)`` until it has no more before the next one.
    func take(_ row: UnsafeRawPointer) {
        guard rowsTaken < source.height, let floats = memory.floats else { return }
        let slot = rowsTaken % ringRows
        rowsTaken += 1
        // A row above the wanted part.
        if rowsGiven < target.height, rowsTaken <= vertical.starts[rowsGiven] { return }
        if format.isDeep {
            Self.spread(row.assumingMemoryBound(to: UInt16.self), into: floats, source.width * Self.channels)
        } else {
            Self.spread(row.assumingMemoryBound(to: UInt8.self), into: floats, source.width * Self.channels)
        }
        scaleSideways(floats, into: ring(slot, floats))
    }

    /// Writes the next target row, if the rows taken suffice for it.
    ///
    /// - Parameter clampsToAlpha: Keeps colours from overshooting alpha, which premultiplied ones must not.
    func give(_ row: UnsafeMutableRawPointer, clampsToAlpha: Bool) -> Bool {
        guard isReady, let floats = memory.floats else { return false }
        let count = target.width * Self.channels
        let sums = ring(ringRows, floats)
        let start = vertical.starts[rowsGiven]
        let taps = vertical.counts[rowsGiven]
        vertical.weights.withUnsafeBufferPointer { weights in
            let first = rowsGiven * vertical.taps
            Self.scale(ring(start % ringRows, floats), by: weights[first], into: sums, count)
            for tap in 1..<max(1, taps) {
                Self.add(ring((start + tap) % ringRows, floats), times: weights[first + tap], to: sums, count)
            }
        }
        if format.isDeep {
            Self.round(sums, into: row.assumingMemoryBound(to: UInt16.self), count, clampsToAlpha: clampsToAlpha)
        } else {
            Self.round(sums, into: row.assumingMemoryBound(to: UInt8.self), count, clampsToAlpha: clampsToAlpha)
        }
        rowsGiven += 1
        return true
    }

    /// Whether the rows taken suffice for the next target row.
    var isReady: Bool {
        rowsGiven < target.height && rowsTaken >= vertical.starts[rowsGiven] + vertical.counts[rowsGiven]
    }

    private func ring(_ slot: Int, _ floats: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Float> {
        floats + Self.channels * (source.width + Self.padding + slot * target.width)
    }

    private func scaleSideways(_ line: UnsafeMutablePointer<Float>, into result: UnsafeMutablePointer<Float>) {
        let pixels = UnsafeRawPointer(line).assumingMemoryBound(to: SIMD4<Float>.self)
        let scaled = UnsafeMutableRawPointer(result).assumingMemoryBound(to: SIMD4<Float>.self)
        let taps = horizontal.taps
        horizontal.weights.withUnsafeBytes { bytes in
            guard let weights = bytes.baseAddress?.assumingMemoryBound(to: SIMD4<Float>.self) else { return }
            for index in 0..<target.width {
                var pixel = pixels + horizontal.starts[index]
                var weight = weights + index * (taps / 4)
                // Four sums, so that an addition need not wait for the one before. Unused weights are 0, and the pixels
                // behind the row, which they meet, are 0 too.
                var sums = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
                for _ in 0..<((horizontal.counts[index] + 3) / 4) {
                    let four = weight.pointee
                    sums.0 += pixel[0] * four[0]
                    sums.1 += pixel[1] * four[1]
                    sums.2 += pixel[2] * four[2]
                    sums.3 += pixel[3] * four[3]
                    weight += 1
                    pixel += 4
                }
                scaled[index] = (sums.0 + sums.1) + (sums.2 + sums.3)
            }
        }
    }

    // Plain loops over floats, each of which the compiler turns into vector code.

    private static func spread<Channel: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafePointer<Channel>,
        into floats: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for index in 0..<count { floats[index] = Float(row[index]) }
    }

    private static func scale(
        _ line: UnsafeMutablePointer<Float>,
        by weight: Float,
        into sums: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for index in 0..<count { sums[index] = line[index] * weight }
    }

    private static func add(
        _ line: UnsafeMutablePointer<Float>,
        times weight: Float,
        to sums: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for index in 0..<count { sums[index] += line[index] * weight }
    }

    private static func round<Channel: FixedWidthInteger & UnsignedInteger>(
        _ sums: UnsafeMutablePointer<Float>,
        into row: UnsafeMutablePointer<Channel>,
        _ count: Int,
        clampsToAlpha: Bool
    ) {
        let most = Float(Channel.max)
        // 1.5 * 2^23: adding it leaves the rounded value in the low bits of the float.
        let magic: Float = 12_582_912
        for index in 0..<count {
            let value = min(max(sums[index], 0), most)
            row[index] = Channel(truncatingIfNeeded: (value + magic).bitPattern)
        }
        if clampsToAlpha { clampToAlpha(row, count) }
    }

    private static func clampToAlpha<Channel: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafeMutablePointer<Channel>,
        _ count: Int
    ) {
        for at in stride(from: 0, to: count - 3, by: channels) {
            let alpha = row[at + 3]
            if alpha == Channel.max { continue }
            row[at] = min(row[at], alpha)
            row[at + 1] = min(row[at + 1], alpha)
            row[at + 2] = min(row[at + 2], alpha)
        }
    }
}

extension PixelStorage {
    fileprivate var floats: UnsafeMutablePointer<Float>? {
        bytes.baseAddress?.assumingMemoryBound(to: Float.self)
    }
}
