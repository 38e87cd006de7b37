public import Foundation
import MagpieConcurrency
import Synchronization

/// Where tasks are made, wait for their turn, and share connections.
///
/// A session is cheap to keep and may be used from any thread. It lives at least as long as its
/// tasks: released while some run, it goes when the last of them has finished and is released as well.
public final class HTTPSession: Sendable {
    /// The version of the library.
    public static let version = "0.1.0"

    /// A session with the default configuration, for all who need no other.
    public static let shared = HTTPSession()

    /// How the session was set up.
    ///
    /// The limits and the order may have been changed since; see the session's properties.
    public let configuration: Configuration

    let transport: any HTTPTransport
    let transportSettings: HTTPTransportSettings
    private let base: Result<URL, HTTPError>?
    private let ownsTransport: Bool
    let hub: EventHub
    let authentication = AuthenticationMemory()
    let schedule: Lock<Schedule>
    /// The tasks that were put into the queue and whose receivers have not been told of the end.
    let unfinishedCount = Atomic(0)

    /// What the session's lock protects.
    struct Schedule {
        var queue: TaskQueue<HTTPTask>
        var interceptors: [any HTTPInterceptor]
        var isStarting = false
        var isInvalidated = false
        var isInvalidationTold = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - baseURL: What relative addresses are resolved against. A path that does not end in a slash gets one.
    ///   - configuration: How the session behaves.
    ///   - transport: What carries the requests; a `CurlTransport` of its own where none is given. A given one is left
    ///     open when the session ends.
    public convenience init(
        baseURL: URL? = nil,
        configuration: Configuration = .init(),
        transport: (any HTTPTransport)? = nil
    ) {
        self.init(base: baseURL.map { .success($0) }, configuration: configuration, transport: transport)
    }

    /// Makes a session whose relative addresses are resolved against `baseURL`.
    ///
    /// An address that is none is reported as `HTTPError.invalidURL` by each request whose own address is relative.
    public convenience init(
        baseURL: String,
        configuration: Configuration = .init(),
        transport: (any HTTPTransport)? = nil
    ) {
        let base = URL(string: baseURL).map { Result<URL, HTTPError>.success($0) } ?? .failure(.invalidURL(baseURL))
        self.init(base: base, configuration: configuration, transport: transport)
    }

    private init(base: Result<URL, HTTPError>?, configuration: Configuration, transport: (any HTTPTransport)?) {
        self.base = base?.map(Self.withTrailingSlash)
        self.configuration = configuration
        self.transport = Self.decorated(transport ?? CurlTransport(), configuration)
        ownsTransport = transport == nil
        transportSettings = HTTPTransportSettings(
            trust: configuration.trust,
            timeouts: configuration.timeouts,
            maximumResponseSize: configuration.maximumResponseSize,
            headerLimits: configuration.headerLimits,
            decompresses: configuration.decompresses,
            versions: configuration.versions,
            connection: configuration.connection
        )
        let limits = TaskQueue<HTTPTask>.Limits(
            total: max(1, configuration.maximumConcurrentTasks),
            perHost: max(1, configuration.maximumConcurrentTasksPerHost)
        )
        hub = EventHub(monitors: configuration.eventMonitors)
        schedule = Lock(
            Schedule(
                queue: TaskQueue(limits: limits, order: configuration.order),
                interceptors: configuration.interceptors
            )
        )
    }

    /// Puts the configuration's cache, cookies and memory of secure hosts around the transport.
    ///
    /// Each redirect passes through them as well.
    private static func decorated(
        _ transport: any HTTPTransport,
        _ configuration: Configuration
    ) -> any HTTPTransport {
        var transport = transport
        if let cache = configuration.cache {
            transport = CachingTransport(base: transport, cache: cache) { [delegate = configuration.delegate] in
                delegate?.willCache($1, to: $0) ?? true
            }
        }
        if let jar = configuration.cookieJar { transport = CookieTransport(base: transport, jar: jar) }
        return HSTSTransport.over(transport, configuration.strictTransport)
    }

    deinit {
        hub.close()
        if ownsTransport { transport.shutdown() }
    }

    /// What relative addresses are resolved against.
    public var baseURL: URL? { try? base?.get() }

    /// The absolute address that `path` names: itself, or resolved against the base URL (RFC 3986 §5).
    ///
    /// With the base `http://host/v1/`, `users` is `/v1/users`, and `/users` is `/users`.
    public func url(for path: String) throws(HTTPError) -> URL {
        let baseURL = baseURL
        // Foundation makes no URL of an empty text; to the RFC it is the base itself.
        if path.isEmpty, let baseURL { return baseURL }
        guard let url = URL(string: path, relativeTo: baseURL)?.absoluteURL, url.scheme != nil else {
            if case .failure(let error)? = base { throw error }
            throw .invalidURL(path)
        }
        return url
    }

    /// RFC 3986 would replace the last part of a path without a slash at its end.
    private static func withTrailingSlash(_ url: URL) -> URL {
        guard !url.path().isEmpty, !url.path().hasSuffix("/"), url.query() == nil, url.fragment() == nil else {
            return url
        }
        return URL(string: "\(url.absoluteString)/") ?? url
    }
}

// MARK: - Limits

extension HTTPSession {
    /// How many tasks run at once; at least 1.
    ///
    /// May be changed at any time and stops nobody.
    public var maximumConcurrentTasks: Int {
        get { schedule.withLock { $0.queue.limits.total } }
        set {
            schedule.withLock { $0.queue.limits.total = max(1, newValue) }
            startReadyTasks()
        }
    }

    /// How many tasks run at once for one host; at least 1.
    ///
    /// May be changed at any time and stops nobody.
    public var maximumConcurrentTasksPerHost: Int {
        get { schedule.withLock { $0.queue.limits.perHost } }
        set {
            schedule.withLock { $0.queue.limits.perHost = max(1, newValue) }
            startReadyTasks()
        }
    }

    /// Which of the waiting tasks of one priority goes first.
    ///
    /// May be changed at any time.
    public var order: HTTPTaskOrder {
        get { schedule.withLock { $0.queue.order } }
        set { schedule.withLock { $0.queue.order = newValue } }
    }

    /// Who changes requests before they are sent, and decides on another try after failures, in this order.
    ///
    /// Those of the request itself come after them. A change holds for tasks that are made later.
    public var interceptors: [any HTTPInterceptor] {
        get { schedule.withLock { $0.interceptors } }
        set { schedule.withLock { $0.interceptors = newValue } }
    }
}
