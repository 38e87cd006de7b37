/// How connections are made, and how fast they may be used.
public struct HTTPConnectionSettings: Sendable, Hashable {
    /// Another place for a host: requests for it are sent there, and its name is still what certificates are checked for.
    public struct HostOverride: Sendable, Hashable {
        /// The host as addresses name it.
        public var host: String

        /// The port as addresses name it; `nil` stands for any.
        public var port: Int?

        /// The name or numeric address to connect to.
        public var address: String

        /// The port to connect to; `nil` stands for the same.
        public var addressPort: Int?

        /// Makes an override.
        public init(host: String, port: Int? = nil, address: String, addressPort: Int? = nil) {
            self.host = host
            self.port = port
            self.address = address
            self.addressPort = addressPort
        }
    }

    /// Which way requests take.
    public var proxy: HTTPProxy

    /// The socket in the file system on which all servers are reached; `nil` uses the network.
    public var unixSocketPath: String?

    /// Where to connect for certain hosts, in place of what the name service says.
    public var hostOverrides: [HostOverride]

    /// The address, interface or host name of this machine from which to connect; `nil` leaves it to the system.
    public var localInterface: String?

    /// How long a connection may have been idle and still be used again.
    ///
    /// `nil` takes libcurl's limit of about two minutes.
    public var maximumIdleTime: Duration?

    /// The most bytes to receive in a second, on average; `nil` sets no limit.
    public var maximumReceiveSpeed: Int64?

    /// The most bytes to send in a second, on average; `nil` sets no limit.
    public var maximumSendSpeed: Int64?

    /// How long to wait for the server's consent before a body is sent (`Expect: 100-continue`, RFC 9110 §10.1.1).
    ///
    /// `nil` does not ask. The body is sent as well when the time has passed without an answer.
    public var continueLimit: Duration?

    /// Makes settings; the defaults ask for nothing special.
    public init(
        proxy: HTTPProxy = .environment,
        unixSocketPath: String? = nil,
        hostOverrides: [HostOverride] = [],
        localInterface: String? = nil,
        maximumIdleTime: Duration? = nil,
        maximumReceiveSpeed: Int64? = nil,
        maximumSendSpeed: Int64? = nil,
        continueLimit: Duration? = nil
    ) {
        self.proxy = proxy
        self.unixSocketPath = unixSocketPath
        self.hostOverrides = hostOverrides
        self.localInterface = localInterface
        self.maximumIdleTime = maximumIdleTime
        self.maximumReceiveSpeed = maximumReceiveSpeed
        self.maximumSendSpeed = maximumSendSpeed
        self.continueLimit = continueLimit
    }
}
