/// What one task cost, by stage.
///
/// The durations are those of the last exchange, each measured from its start, apart from `queue` and `total`.
public struct HTTPTaskMetrics: Sendable, Hashable {
    /// The time in the session's queue before the first exchange started.
    public var queue: Duration = .zero
    /// Until the host's address was known.
    public var nameLookup: Duration = .zero
    /// Until the connection stood; zero where one was reused.
    public var connect: Duration = .zero
    /// Until TLS was agreed on; zero for `http` and where a connection was reused.
    public var secureConnect: Duration = .zero
    /// Until the request began to go out.
    public var requestStart: Duration = .zero
    /// Until the first byte of the answer.
    public var firstByte: Duration = .zero
    /// From the start of the first exchange to the last byte of the last one.
    public var total: Duration = .zero
    /// The bytes of the body as they came over the wire, before decoding.
    public var bytesReceived: Int64 = 0
    /// The bytes of header sections and trailers received, those of interim answers included.
    public var headerBytesReceived: Int64 = 0
    /// The bytes of the request's body sent.
    public var bytesSent: Int64 = 0
    /// The bytes of the request's header section sent.
    public var headerBytesSent: Int64 = 0
    /// The version of the protocol, or `nil` where no answer came.
    public var version: HTTPVersion?
    /// Whether a connection was used that stood already.
    public var isConnectionReused = false
    /// How many redirects were followed.
    public var redirectCount = 0
    /// How often the request was sent again after a failure.
    public var retryCount = 0
    /// What the cache gave to the answer.
    public var cache = CacheUse.none
    /// The numeric address of the server, or of the proxy.
    public var remoteAddress: String?
    /// The numeric address of this machine's end.
    public var localAddress: String?
    /// How the connection was secured; `nil` for `http` and where it is not known.
    public var security: Security?

    /// The terms that TLS was agreed on.
    public struct Security: Sendable, Hashable {
        /// The version, as in `TLSv1.3`.
        public var version: String
        /// The suite of ciphers, as in `TLS_AES_256_GCM_SHA384`.
        public var cipher: String

        /// Makes a description.
        public init(version: String, cipher: String) {
            self.version = version
            self.cipher = cipher
        }
    }

    /// What a cache may give to an answer.
    public enum CacheUse: String, Sendable, Hashable {
        /// Nothing: the server sent all of it.
        case none
        /// All of it, fresh.
        case hit
        /// All of it, although it is stale.
        case stale
        /// The body, after the server had said that it still holds.
        case revalidated
    }

    /// Makes an empty set of measures.
    public init() {}
}
