public import MagpieHTTP

/// One caller's hold on a download, which others may share.
public final class ImageDownload: Sendable {
    private let ticket: Ticket<DownloadedData>

    init(ticket: Ticket<DownloadedData>) {
        self.ticket = ticket
    }

    /// How urgent the download is to this caller; the download itself has the highest priority among its callers.
    public var priority: HTTPPriority {
        get { ticket.priority }
        set { ticket.priority = newValue }
    }

    /// Whether the result is known.
    public var isFinished: Bool { ticket.isFinished }

    /// The result; cancelling the Swift task that waits for it does not cancel the download.
    public var result: Result<DownloadedData, WebImageError> {
        get async { await ticket.outcome() }
    }

    /// Leaves the download: the result is `.cancelled` at once, and the transfer ends when nobody else wants it.
    public func cancel() {
        ticket.cancel()
    }
}
