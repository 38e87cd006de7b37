/// How short of memory the system, or the control group of this process, is.
public enum MemoryPressureLevel: Int, Sendable, Hashable, Comparable {
    /// There is enough.
    case normal
    /// Programs begin to wait for memory: what can be made again easily should be given back.
    case warning
    /// Programs stand still for want of memory, or will soon be ended: all that can be made again should be given back.
    case critical

    /// Orders levels by severity.
    public static func < (left: MemoryPressureLevel, right: MemoryPressureLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
