/// What the receiver of a chunk wants next.
public enum HTTPFlow: Sendable, Hashable {
    /// More, as it comes.
    case proceed
    /// Nothing until the transfer is resumed; the server is held back through the connection's flow control.
    case pause
}
