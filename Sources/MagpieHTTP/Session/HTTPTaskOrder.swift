/// Which of the waiting tasks of one priority goes first.
public enum HTTPTaskOrder: Sendable, Hashable {
    /// The one that came first.
    case fifo
    /// The one that came last: what a person just scrolled to before what they passed.
    case lifo
}
