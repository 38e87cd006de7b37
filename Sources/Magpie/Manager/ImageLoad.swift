public import Foundation
import MagpieConcurrency
public import MagpieHTTP

/// A load under way: its events, its result, its priority, and the way to stop it.
///
/// Safe to use from any thread. Letting go of the handle does not cancel the load.
public final class ImageLoad: Sendable {
    /// What happens in the course of a load.
    ///
    /// Previews of a picture that is still arriving will be a case of their own: a `switch` does well to have a default.
    public enum Event: Sendable {
        /// More of the picture's bytes have arrived; `expected` is nil when the server did not say how many there are.
        case progress(received: Int64, expected: Int64?)

        /// The load is over; nothing follows.
        case finished(Result<ImageResult, WebImageError>)
    }

    /// The address of the picture.
    public let url: URL

    private let ticket: Ticket<ImageResult>

    init(url: URL, ticket: Ticket<ImageResult>) {
        self.url = url
        self.ticket = ticket
    }

    /// The events of the load from now on: progress, then exactly one `.finished`, at once when it is over already.
    ///
    /// Each reading gives a stream of its own, which holds only the newest of the events that nobody has taken yet.
    public var events: AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Progress comes from the thread that receives, the end perhaps from one that cancels: what is yielded last
            // is what the stream holds, and that has to be the end.
            let stream = StreamState()
            ticket.observe { progress in
                stream.isOver.withLock { isOver in
                    guard !isOver else { return }
                    continuation.yield(.progress(received: progress.completed, expected: progress.expected))
                }
            } completed: { outcome in
                stream.isOver.withLock { isOver in
                    isOver = true
                    continuation.yield(.finished(outcome))
                }
                continuation.finish()
            }
        }
    }

    func observe(
        progress: (@Sendable (HTTPProgress) -> Void)?,
        completion: @escaping @Sendable (Result<ImageResult, WebImageError>) -> Void
    ) {
        ticket.observe(progressed: progress, completed: completion)
    }

    /// How urgent the load is to this caller, in whatever queue it waits.
    ///
    /// Shared work has the highest priority among its callers.
    public var priority: HTTPPriority {
        get { ticket.priority }
        set { ticket.priority = newValue }
    }

    /// Whether the result is known.
    public var isFinished: Bool { ticket.isFinished }

    /// The result; cancelling the Swift task that waits for it does not cancel the load.
    public var result: Result<ImageResult, WebImageError> {
        get async { await ticket.outcome() }
    }

    /// Ends the load: its result is `.cancelled` at once, unless it has one.
    ///
    /// Work that others share goes on for them.
    public func cancel() {
        ticket.cancel()
    }
}

/// Whether the end of a load was put into a stream of its events.
private final class StreamState: Sendable {
    let isOver = Lock(false)
}
