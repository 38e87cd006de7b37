import Foundation

/// What of a picture is other than in the one before it.
enum FrameDifference {
    /// The smallest rectangle outside of which two pictures of a size are equal; one pixel where they are equal throughout.
    ///
    /// - Parameters:
    ///   - before: Four bytes a pixel, rows without a gap; nil for a picture that is unlike any.
    ///   - after: Pixels that mean the same.
    static func rect(_ before: UnsafeRawBufferPointer?, _ after: UnsafeRawBufferPointer, size: PixelSize) -> PixelRect {
        guard let before, before.count == after.count, let first = before.baseAddress, let second = after.baseAddress
        else { return PixelRect(x: 0, y: 0, width: size.width, height: size.height) }
        let stride = size.width * 4
        let rows = (0..<size.height).filter { memcmp(first + $0 * stride, second + $0 * stride, stride) != 0 }
        guard let top = rows.first, let bottom = rows.last else { return PixelRect(x: 0, y: 0, width: 1, height: 1) }
        let (old, new) = (before.assumingMemoryBound(to: UInt32.self), after.assumingMemoryBound(to: UInt32.self))
        var (left, right) = (size.width, -1)
        for row in rows {
            let start = row * size.width
            if let column = (0..<left).first(where: { old[start + $0] != new[start + $0] }) { left = column }
            if let column = (right + 1..<size.width).last(where: { old[start + $0] != new[start + $0] }) {
                right = column
            }
        }
        return PixelRect(x: left, y: top, width: max(1, right - left + 1), height: bottom - top + 1)
    }
}
