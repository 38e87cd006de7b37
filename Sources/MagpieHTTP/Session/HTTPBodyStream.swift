public import Foundation

/// A body that is read as it comes: a sequence of chunks, for one reader.
///
/// At most about 256 kB wait unread; beyond that the transfer is paused until the reader catches up. When the stream and
/// its iterators are released before the end, the task is cancelled.
public struct HTTPBodyStream: AsyncSequence, Sendable {
    /// A part of the body, never empty.
    public typealias Element = Data

    private let lease: StreamLease

    init(task: HTTPTask, buffer: StreamBuffer) { lease = StreamLease(task: task, buffer: buffer) }

    var task: HTTPTask { lease.task }

    /// Reads the chunks in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: StreamLease

        /// The next chunk, or `nil` after the last.
        ///
        /// Cancelling the Swift task cancels the transfer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> Data? {
            let lease = lease
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: actor) { continuation in
                    lease.buffer.next(for: lease.task, continuation)
                }
            } onCancel: {
                lease.task.cancel()
            }
            return try result.get()
        }

        /// The next chunk, or `nil` after the last.
        ///
        /// Cancelling the Swift task cancels the transfer.
        public mutating func next() async throws(HTTPError) -> Data? { try await next(isolation: nil) }
    }

    /// Starts to read.
    ///
    /// A second iterator shares the chunks with the first.
    public func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }
}

/// Cancels the task when nobody can read its body any more.
private final class StreamLease: Sendable {
    let task: HTTPTask
    let buffer: StreamBuffer

    init(task: HTTPTask, buffer: StreamBuffer) {
        self.task = task
        self.buffer = buffer
    }

    deinit { task.cancel() }
}
