public import Foundation

/// The lines of a text that is read as it comes.
///
/// The text is taken as UTF-8; a line ends with LF, CR or CR LF, which are not part of it. Bytes that are no UTF-8 become
/// U+FFFD, and a byte order mark at the start is dropped.
public struct HTTPLines<Base: AsyncSequence>: AsyncSequence where Base.Element == Data, Base.Failure == HTTPError {
    /// A line without its end.
    public typealias Element = String

    private let base: Base
    private let limit: Int

    init(_ base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    /// Reads the lines in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate var splitter: LineSplitter

        /// The next line, or `nil` after the last.
        ///
        /// - Throws: `HTTPError.lineTooLong`, or what ended the transfer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> String? {
            while true {
                if let line = try splitter.next() { return line }
                guard let piece = try await base.next(isolation: actor) else { return splitter.finish() }
                splitter.append(piece)
            }
        }

        /// The next line, or `nil` after the last.
        public mutating func next() async throws(HTTPError) -> String? { try await next(isolation: nil) }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), splitter: LineSplitter(limit: limit))
    }
}

extension HTTPLines: Sendable where Base: Sendable {}

extension AsyncSequence where Element == Data, Failure == HTTPError {
    /// The lines of the text that the chunks hold; a line may have up to 1 MB.
    public var lines: HTTPLines<Self> { lines(limit: 1 << 20) }

    /// The lines of the text that the chunks hold.
    ///
    /// - Parameter limit: The longest line to accept, in bytes; a longer one ends the sequence with
    ///   `HTTPError.lineTooLong`.
    public func lines(limit: Int) -> HTTPLines<Self> { HTTPLines(self, limit: limit) }

    /// The single bytes of the chunks.
    public var bytes: HTTPBytes<Self> { HTTPBytes(self) }
}
