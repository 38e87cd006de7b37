/// What to do with an answer whose head has come.
public enum HTTPResponseDisposition: Sendable, Hashable {
    /// Goes on.
    case allow
    /// Ends the task with `HTTPError.cancelled`.
    case cancel
}
