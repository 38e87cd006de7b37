/// A rectangle of whole pixels; (0, 0) is the top left pixel of a picture.
public struct PixelRect: Hashable, Sendable {
    /// The leftmost column.
    public var x: Int
    /// The topmost row.
    public var y: Int
    /// Number of columns.
    public var width: Int
    /// Number of rows.
    public var height: Int

    /// Makes a rectangle; one of a side of 0 or less is empty.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part that lies within a picture of a size; nil where there is none.
    public func clipped(to size: PixelSize) -> PixelRect? {
        guard let columns = Self.overlap(x, width, size.width), let rows = Self.overlap(y, height, size.height) else {
            return nil
        }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func overlap(_ start: Int, _ length: Int, _ side: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(length)
        let lower = max(0, start)
        let upper = min(side, overflow ? Int.max : end)
        return length > 0 && lower < upper ? lower..<upper : nil
    }
}
