public import Foundation

/// A body that is asked for when somebody begins to read it, and then comes in chunks as it arrives.
///
/// Each iterator sends a request of its own. An answer with another status than 2xx ends the reading with
/// `HTTPError.unacceptableStatus`; `HTTPSession.stream(for:)` gives the head of any answer beside its body.
public struct HTTPStream: AsyncSequence, Sendable {
    /// A part of the body, never empty.
    public typealias Element = Data

    private let session: HTTPSession
    private let request: Result<HTTPRequest, HTTPError>

    fileprivate init(session: HTTPSession, request: Result<HTTPRequest, HTTPError>) {
        self.session = session
        self.request = request
    }

    /// Reads the chunks in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let session: HTTPSession
        fileprivate let request: Result<HTTPRequest, HTTPError>
        fileprivate var body: HTTPBodyStream.Iterator?

        /// The next chunk, or `nil` after the last.
        ///
        /// Cancelling the Swift task cancels the transfer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> Data? {
            if body == nil {
                let answer = try await session.stream(for: request.get())
                guard answer.status.kind == .successful else {
                    throw .unacceptableStatus(answer.response, body: Data())
                }
                body = answer.body.makeAsyncIterator()
            }
            return try await body?.next(isolation: actor)
        }

        /// The next chunk, or `nil` after the last.
        public mutating func next() async throws(HTTPError) -> Data? { try await next(isolation: nil) }
    }

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session, request: request) }
}

extension HTTPSession {
    /// The body at an address, absolute or relative to the session's base URL, to be read as it comes: in chunks, or by
    /// `lines` or `bytes`.
    ///
    /// What the reader has not asked for yet is held back on the server's side, apart from a small buffer.
    public func stream(_ path: String, headerFields: HTTPFields = [:]) -> HTTPStream {
        let request = Result { () throws(HTTPError) in HTTPRequest(url: try url(for: path), headerFields: headerFields)
        }
        return HTTPStream(session: self, request: request)
    }
}
