import Synchronization

/// One exchange of a `CurlTransport`.
///
/// `@unchecked Sendable`: all is constant or atomic but `handle`, which only the loop's thread touches.
final class CurlExchange: HTTPExchange, @unchecked Sendable {
    let request: HTTPRequest
    let settings: HTTPTransportSettings
    let delegate: any HTTPExchangeDelegate

    /// The easy handle that carries the exchange, while it does.
    ///
    /// Confined to the loop's thread.
    var handle: CurlHandle?

    private let inbox: CurlInbox
    private let cancelled = Atomic(false)
    private let isBodyAnnounced = Atomic(false)

    init(
        request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate,
        inbox: CurlInbox
    ) {
        self.request = request
        self.settings = settings
        self.delegate = delegate
        self.inbox = inbox
    }

    /// Whether the exchange was cancelled, perhaps before the loop heard of it.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() {
        if !cancelled.exchange(true, ordering: .relaxed) { _ = inbox.post(.cancel(self)) }
    }

    func resume() { _ = inbox.post(.resume(self)) }

    /// The source of the body may have more bytes; told to the loop once, however often it is called.
    func bodyIsReady() {
        if !isBodyAnnounced.exchange(true, ordering: .acquiringAndReleasing) { _ = inbox.post(.bodyIsReady(self)) }
    }

    /// The loop has heard of it and is about to ask the source.
    func takeAnnouncement() { isBodyAnnounced.store(false, ordering: .releasing) }
}
