public import Foundation
import MagpieConcurrency

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
    private let schedule: Lock<Schedule>

    private struct Schedule {
        var queue: TaskQueue<HTTPTask>
        var isStarting = false
        var isInvalidated = false
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
            decompresses: configuration.decompresses,
            versions: configuration.versions
        )
        let limits = TaskQueue<HTTPTask>.Limits(
            total: max(1, configuration.maximumConcurrentTasks),
            perHost: max(1, configuration.maximumConcurrentTasksPerHost)
        )
        schedule = Lock(Schedule(queue: TaskQueue(limits: limits, order: configuration.order)))
    }

    /// Puts the configuration's cache and cookies around the transport; each redirect passes through them as well.
    private static func decorated(
        _ transport: any HTTPTransport,
        _ configuration: Configuration
    ) -> any HTTPTransport {
        var transport = transport
        if let cache = configuration.cache { transport = CachingTransport(base: transport, cache: cache) }
        if let jar = configuration.cookieJar { transport = CookieTransport(base: transport, jar: jar) }
        return transport
    }

    deinit {
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

    /// How many tasks wait for their turn.
    public var waitingTaskCount: Int { schedule.withLock { $0.queue.waitingCount } }

    /// How many tasks run.
    public var runningTaskCount: Int { schedule.withLock { $0.queue.runningCount } }

    /// Takes no more tasks: those made later end with `HTTPError.sessionInvalidated`.
    ///
    /// - Parameter cancellingTasks: Whether to cancel the tasks that wait or run; otherwise they finish.
    public func invalidate(cancellingTasks: Bool) {
        let tasks = schedule.withLock { schedule in
            schedule.isInvalidated = true
            return cancellingTasks ? schedule.queue.payloads : []
        }
        for task in tasks { task.cancel() }
    }
}

// MARK: - Scheduling

extension HTTPSession {
    /// Makes a task of the request with the session's default fields; it does not wait in the queue yet.
    func makeTask(_ request: HTTPRequest, consumer: any TaskConsumer) -> HTTPTask {
        var request = request
        for field in configuration.headerFields where !request.headerFields.contains(field.name) {
            request.headerFields.append(field)
        }
        return HTTPTask(request: request, session: self, consumer: consumer)
    }

    /// Puts the task into the queue, or ends it where it cannot be loaded.
    func enqueue(_ task: HTTPTask) {
        let url = task.originalRequest.url
        if let problem = HTTPOrigin.problem(of: url) { return task.finish(.failure(problem)) }
        let host = HTTPOrigin.key(of: url)
        let error = schedule.withLock { schedule -> HTTPError? in
            guard !schedule.isInvalidated else { return .sessionInvalidated }
            // The task's own lock is taken inside the session's, never the other way round.
            let isWanted = task.core.withLock { core in
                let priority = core.priority
                return core.enqueue { schedule.queue.enqueue(task, host: host, priority: priority) }
            }
            return isWanted ? nil : .cancelled
        }
        if let error { return task.finish(.failure(error)) }
        startReadyTasks()
    }

    /// Takes a waiting task out of the queue; false where it has got its turn.
    func withdraw(_ ticket: TaskCore.Ticket) -> Bool { schedule.withLock { $0.queue.removeWaiting(ticket) } }

    /// Changes the priority of the task and its place in the queue, if it has one, as one step.
    func setPriority(_ priority: HTTPPriority, of task: HTTPTask) {
        schedule.withLock { schedule in
            let ticket = task.core.withLock { core in
                core.priority = priority
                return core.ticket
            }
            if let ticket { schedule.queue.setPriority(priority, of: ticket) }
        }
    }

    /// Gives the place of a task to the next.
    func taskEnded(_ ticket: TaskCore.Ticket?) {
        guard let ticket else { return }
        schedule.withLock { _ = $0.queue.remove(ticket) }
        startReadyTasks()
    }

    /// Starts what may start.
    ///
    /// One thread at a time does so, so that tasks that end at once do not nest.
    private func startReadyTasks() {
        var isContinuing = false
        while true {
            let task = schedule.withLock { schedule -> HTTPTask? in
                guard isContinuing || !schedule.isStarting else { return nil }
                let task = schedule.queue.dequeue()
                schedule.isStarting = task != nil
                return task
            }
            guard let task else { return }
            isContinuing = true
            task.begin()
        }
    }
}
