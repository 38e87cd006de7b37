#if TIFF
import Foundation

/// The bytes that libtiff reads from, or writes to, in memory.
final class TIFFStream {
    private(set) var bytes: Data
    private var position = 0
    /// Whether more was asked for than there is: the sign of a file that is cut off.
    private(set) var wasExhausted = false

    init(_ bytes: Data = Data()) {
        self.bytes = bytes
    }

    func read(_ target: UnsafeMutableRawPointer, _ wanted: Int) -> Int {
        let count = max(0, min(wanted, bytes.count - position))
        if count < wanted { wasExhausted = true }
        guard count > 0 else { return 0 }
        let start = bytes.startIndex + position
        bytes.copyBytes(
            to: UnsafeMutableRawBufferPointer(start: target, count: count),
            from: start..<(start + count)
        )
        position += count
        return count
    }

    func write(_ source: UnsafeMutableRawPointer, _ count: Int) -> Int {
        guard count > 0 else { return 0 }
        let end = position + count
        if end > bytes.count { bytes.append(Data(count: end - bytes.count)) }
        bytes.replaceSubrange(position..<end, with: UnsafeRawBufferPointer(start: source, count: count))
        position = end
        return count
    }

    /// Moves to a place, which a file may well put behind its end.
    func seek(_ offset: UInt64, _ origin: Int32) -> UInt64 {
        let base = origin == SEEK_CUR ? position : origin == SEEK_END ? bytes.count : 0
        let (place, overflow) = base.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflow, place >= 0 else { return UInt64.max }
        position = place
        return UInt64(place)
    }

    /// The stream behind the pointer that libtiff hands back.
    static func of(_ context: UnsafeMutableRawPointer?) -> TIFFStream? {
        context.map { Unmanaged<TIFFStream>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
