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
    /// Until the first byte of the answer.
    public var firstByte: Duration = .zero
    /// From the start of the first exchange to the last byte of the last one.
    public var total: Duration = .zero
    /// The bytes of the body as they came over the wire, before decoding.
    public var bytesReceived: Int64 = 0
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
    /// The numeric address of the server.
    public var remoteAddress: String?

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
