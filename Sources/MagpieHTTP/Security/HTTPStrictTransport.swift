/// Whether a session keeps to TLS with the hosts that asked for it (HSTS, RFC 6797), and where it remembers them.
///
/// An `http` address of such a host is loaded over `https` instead.
public enum HTTPStrictTransport: Sendable, Hashable {
    /// In the session's memory.
    case session
    /// In a store that sessions may share, and that may have a file.
    case store(HSTSStore)
    /// Nowhere: `http` addresses are loaded as they are.
    case off
}
