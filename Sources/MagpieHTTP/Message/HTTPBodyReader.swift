/// One pass through the content of a request, from which a transport takes bytes as fast as it can send them.
///
/// A reader is used by one transport, which calls it on one thread at a time. It never blocks: work that could (reading
/// a file) happens ahead of time on a thread of its own.
public protocol HTTPBodyReader: AnyObject, Sendable {
    /// Begins.
    ///
    /// Called once, before the first `read`.
    ///
    /// - Parameter onReady: Is to be called, from any thread, when there is more to read after `.wait`; a call too many
    ///   does no harm.
    func open(onReady: @escaping @Sendable () -> Void)

    /// Copies the next bytes into the buffer, which is not empty.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead

    /// Ends the pass, wherever it stands; called once, and the last call.
    func close()
}

extension HTTPBodyReader {
    /// Reads, and does not believe a number of bytes that cannot be.
    ///
    /// A reader that writes behind its room cannot be stopped, but one that says so ends the request.
    func readPlausibly(into buffer: UnsafeMutableRawBufferPointer) -> HTTPBodyRead {
        let answer = read(into: buffer)
        guard case .bytes(let count) = answer, count <= 0 || count > buffer.count else { return answer }
        return .failed(.unreadableBody(reason: "the source answered with an impossible number of bytes"))
    }
}

/// What a reader answers.
public enum HTTPBodyRead: Sendable {
    /// So many bytes were copied; at least one.
    case bytes(Int)
    /// There is nothing at the moment; `onReady` will be called.
    case wait
    /// There is nothing more.
    case end
    /// There will be nothing more, for this reason, with which the request ends.
    case failed(HTTPError)
}
