/// How urgent a request is among those that wait in the same session.
public enum HTTPPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// After everything else: work ahead of time.
    case veryLow
    /// After the normal.
    case low
    /// The default.
    case normal
    /// Before the normal.
    case high
    /// Before everything else.
    case veryHigh

    /// Orders from the least urgent to the most urgent.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
