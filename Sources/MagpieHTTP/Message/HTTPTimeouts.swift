/// How long a request may take, by stage.
///
/// `nil` sets no limit.
public struct HTTPTimeouts: Sendable, Hashable {
    /// To find the host's address, to connect and to agree on TLS.
    public var connect: Duration?

    /// Without a byte in either direction once the connection stands.
    ///
    /// Time during which the receiver holds the transfer paused, or the source of the body has nothing to send, does not
    /// count.
    public var idle: Duration?

    /// From the first work on the request to the last byte: interceptors, redirects, challenges and further tries included.
    ///
    /// Waiting in the session's queue does not count.
    public var total: Duration?

    /// Makes a set of limits; the defaults suit interactive use.
    public init(connect: Duration? = .seconds(10), idle: Duration? = .seconds(30), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
