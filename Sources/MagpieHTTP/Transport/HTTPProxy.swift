/// Which way requests take: straight to the server, or through a proxy.
public enum HTTPProxy: Sendable, Hashable {
    /// As the environment says: `http_proxy`, `https_proxy` and `all_proxy`, but for the hosts in `no_proxy`.
    case environment
    /// No proxy, whatever the environment says.
    case none
    /// This proxy, whatever the environment says.
    case server(Server)

    /// How to speak with a proxy.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP; for `https` addresses a tunnel is asked for with CONNECT (RFC 9110 §9.3.6).
        case http
        /// HTTP over TLS.
        case https
        /// SOCKS 4; the host's address is looked up here.
        case socks4
        /// SOCKS 4; the host's name is looked up by the proxy.
        case socks4a
        /// SOCKS 5 (RFC 1928); the host's address is looked up here.
        case socks5
        /// SOCKS 5; the host's name is looked up by the proxy.
        case socks5h
    }

    /// A proxy.
    public struct Server: Sendable, Hashable {
        /// How to speak with it.
        public var scheme: Scheme

        /// Its name or address.
        public var host: String

        /// Its port.
        public var port: Int

        /// The name to give to the proxy, and to it alone; `nil` gives none.
        public var user: String?

        /// The password that goes with the name.
        public var password: String?

        /// The hosts that are reached without the proxy, each with all names below it.
        public var exceptions: [String]

        /// Who may vouch for the proxy, where its scheme is `https`.
        public var authorities: HTTPTrust.Policy.Authorities

        /// Makes a proxy.
        public init(
            _ scheme: Scheme = .http,
            host: String,
            port: Int,
            user: String? = nil,
            password: String? = nil,
            exceptions: [String] = [],
            authorities: HTTPTrust.Policy.Authorities = .system
        ) {
            self.scheme = scheme
            self.host = host
            self.port = port
            self.user = user
            self.password = password
            self.exceptions = exceptions
            self.authorities = authorities
        }
    }

    /// Whether the way to the proxy itself is secured by TLS.
    var isSecure: Bool {
        if case .server(let server) = self { server.scheme == .https } else { false }
    }
}
