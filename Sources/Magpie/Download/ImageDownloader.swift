public import Foundation
public import MagpieHTTP

/// Fetches the bytes of pictures, each picture once at a time: a second request for what is on its way joins the first.
///
/// Safe to use from any thread. The transfer ends when the last of its callers cancels, and has the highest priority
/// among them.
public final class ImageDownloader: Sendable {
    /// The downloader that `ImageManager.shared` uses.
    public static let shared = ImageDownloader()

    /// How a downloader works.
    public struct Configuration: Sendable {
        /// How many downloads run at a time; the others wait.
        public var maxConcurrentDownloads = 6

        /// Which of the downloads of one priority that wait starts first.
        public var order: HTTPTaskOrder = .fifo

        /// The fields of every request, in addition to those of the session.
        public var headerFields: HTTPFields = [.accept: "image/*,*/*;q=0.8"]

        /// The statuses that mean that the body is the picture; all others are errors.
        public var acceptableStatusCodes: Range<Int> = 200..<300

        /// What the session below does: time-outs, redirects, trust.
        ///
        /// Its limits on concurrent tasks are replaced by `maxConcurrentDownloads`.
        public var session = HTTPSession.Configuration(maximumResponseSize: 256 << 20)

        /// A configuration with the defaults: 6 downloads at a time, first come first served, 256 MB a picture.
        public init() {}
    }

    private struct Key: Hashable {
        let url: URL
        let headerFields: HTTPFields
    }

    /// The session that the downloads run in.
    public let session: HTTPSession

    private let configuration: Configuration
    private let jobs = JobTable<Key, DownloadedData>()

    /// A downloader with a session of its own.
    ///
    /// - Parameters:
    ///   - configuration: how it works; later changes to the value have no effect.
    ///   - transport: what carries the requests; by default libcurl.
    public init(configuration: Configuration = Configuration(), transport: (any HTTPTransport)? = nil) {
        self.configuration = configuration
        var session = configuration.session
        session.maximumConcurrentTasks = configuration.maxConcurrentDownloads
        session.maximumConcurrentTasksPerHost = configuration.maxConcurrentDownloads
        session.order = configuration.order
        for field in configuration.headerFields {
            session.headerFields[field.name] = field.value
        }
        self.session = HTTPSession(configuration: session, transport: transport)
    }

    /// A downloader with the usual settings but for these.
    public convenience init(maxConcurrentDownloads: Int, order: HTTPTaskOrder = .fifo) {
        var configuration = Configuration()
        configuration.maxConcurrentDownloads = maxConcurrentDownloads
        configuration.order = order
        self.init(configuration: configuration)
    }

    /// The number of downloads that run or wait.
    public var currentDownloadCount: Int { jobs.count }

    /// Downloads a picture's bytes; cancelling the Swift task that waits leaves the download.
    public func data(
        from url: URL,
        headerFields: HTTPFields = [:],
        priority: HTTPPriority = .normal
    ) async throws(WebImageError) -> DownloadedData {
        let ticket = start(url, headerFields: headerFields, priority: priority)
        return try await ticket.outcomeCancelledWithTask().get()
    }

    /// Downloads a picture's bytes and returns a handle at once.
    ///
    /// - Parameters:
    ///   - url: the address of the picture.
    ///   - headerFields: fields of this request alone. Requests with different fields are not joined.
    ///   - priority: how urgent it is to this caller.
    ///   - progress: told how far the body has come, on a thread of the transport; must return quickly.
    ///   - completion: told the result exactly once, on any thread; `cancel` tells it before it returns, unless another
    ///     thread is just doing so.
    @discardableResult
    public func download(
        _ url: URL,
        headerFields: HTTPFields = [:],
        priority: HTTPPriority = .normal,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<DownloadedData, WebImageError>) -> Void
    ) -> ImageDownload {
        let ticket = start(url, headerFields: headerFields, priority: priority)
        ticket.observe(progressed: progress, completed: completion)
        return ImageDownload(ticket: ticket)
    }

    private func start(_ url: URL, headerFields: HTTPFields, priority: HTTPPriority) -> Ticket<DownloadedData> {
        let ticket = Ticket<DownloadedData>(priority: priority)
        ticket.attach(join(url, headerFields: headerFields, ticket.waiter))
        return ticket
    }

    /// Joins the download of a picture, or starts it.
    func join(
        _ url: URL,
        headerFields: HTTPFields,
        _ waiter: SharedJob<DownloadedData>.Waiter
    ) -> any SharedOperation {
        jobs.join(Key(url: url, headerFields: headerFields), waiter) { job in
            var request = HTTPRequest(url: url, headerFields: headerFields)
            request.priority = job.priority
            let receiver = DownloadReceiver(job: job, acceptable: configuration.acceptableStatusCodes)
            let task = session.task(with: request, delegate: receiver)
            job.setOperation(task, step: 0)
        }
    }
}
