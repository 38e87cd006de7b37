/// How a transport carries one exchange.
public struct HTTPTransportSettings: Sendable, Hashable {
    /// Which versions of the protocol to offer.
    public enum VersionPreference: Sendable, Hashable {
        /// HTTP/2 where the server agrees to it over TLS, else HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1Only
    }

    /// Whom to trust.
    public var trust: HTTPTrust

    /// How long to wait.
    public var timeouts: HTTPTimeouts

    /// The longest body to accept, in bytes after decoding; `nil` accepts any.
    public var maximumResponseSize: Int?

    /// How large the header section of the answer may be.
    public var headerLimits: HTTPHeaderLimits

    /// Whether to offer the compressions the transport knows and to hand the body over decoded.
    ///
    /// Where the request has an `Accept-Encoding` field of its own, the body is handed over as it came.
    public var decompresses: Bool

    /// Which versions of the protocol to offer.
    public var versions: VersionPreference

    /// Makes settings.
    public init(
        trust: HTTPTrust = .system,
        timeouts: HTTPTimeouts = .init(),
        maximumResponseSize: Int? = nil,
        headerLimits: HTTPHeaderLimits = .init(),
        decompresses: Bool = true,
        versions: VersionPreference = .automatic
    ) {
        self.trust = trust
        self.timeouts = timeouts
        self.maximumResponseSize = maximumResponseSize
        self.headerLimits = headerLimits
        self.decompresses = decompresses
        self.versions = versions
    }

    /// Whether the answer to the request is to be decoded.
    func decompresses(_ request: HTTPRequest) -> Bool {
        decompresses && !request.headerFields.contains(.acceptEncoding)
    }
}
