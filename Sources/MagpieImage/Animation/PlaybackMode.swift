/// The order in which an animation's frames are played.
public enum PlaybackMode: Sendable, Hashable, CaseIterable {
    /// From the first to the last, and from the first again.
    case normal
    /// From the last to the first, and from the last again.
    case reverse
    /// From the first to the last and back, which together is one loop.
    case bounce
    /// From the last to the first and back, which together is one loop.
    case reversedBounce
}
