import Foundation

/// The events that a server pushes, over as many connections as it takes (WHATWG HTML §9.2, “Server-sent events”).
///
/// A connection that ends is followed by another, which tells the server the identifier of the last event, after the time
/// that the server asked for (3 s at first), and after twice that for each connection in a row that brought nothing. The sequence ends where the
/// server answers 204, and fails where it answers anything but an event stream. Unlike in a browser the first connection is
/// tried once: where it fails, so does the sequence.
public struct HTTPServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = HTTPServerSentEvent

    fileprivate let session: HTTPSession
    fileprivate let request: HTTPRequest
    fileprivate let clock: any Clock<Duration>

    /// How many connections in a row may bring nothing before the sequence fails with the reason of the last; `nil` sets no
    /// limit.
    public var reconnectionLimit: Int?

    /// How long a line and the content of an event may be, in bytes.
    public var eventSizeLimit = 1 << 20

    /// The identifier of the last event of an earlier sequence, with which the first connection goes on.
    public var lastEventID = ""

    /// Starts to read; each iterator makes its own connections.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: self, parser: ServerSentEventParser(limit: eventSizeLimit, lastEventID: lastEventID))
    }

    /// Reads the events in order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: HTTPServerSentEvents
        fileprivate var parser: ServerSentEventParser
        fileprivate var lines: HTTPLines<HTTPBodyStream>.Iterator?
        fileprivate var hasConnected = false
        fileprivate var isFinished = false
        /// Whether the connection brought an event.
        fileprivate var hasBroughtEvents = false
        /// How many connections in a row brought nothing.
        fileprivate var failureCount = 0

        /// The next event, or `nil` after the server said that there will be no more.
        ///
        /// Cancelling the Swift task ends the connection.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPError)
            -> HTTPServerSentEvent?
        {
            while !isFinished {
                do throws(HTTPError) {
                    if let event = try await read(actor) { return event }
                    if isFinished { return nil }
                    try countFailure(.connectionLost(reason: "the server ended the stream"))
                } catch {
                    guard hasConnected, error.mayPass else {
                        isFinished = true
                        throw error
                    }
                    try countFailure(error)
                }
                lines = nil
                parser.reset()
                try await pause(actor)
            }
            return nil
        }

        /// The next event, or `nil` after the server said that there will be no more.
        public mutating func next() async throws(HTTPError) -> HTTPServerSentEvent? { try await next(isolation: nil) }
    }
}

extension HTTPServerSentEvents.Iterator {
    /// How long to wait where the server does not say, and the most to wait after many failures.
    private static let (usualDelay, maximumDelay) = (Duration.seconds(3), Duration.seconds(60))

    /// The next event of the connection, which is made where there is none; `nil` at its end.
    private mutating func read(_ actor: isolated (any Actor)?) async throws(HTTPError) -> HTTPServerSentEvent? {
        if lines == nil { try await connect(actor) }
        while let line = try await lines?.next(isolation: actor) {
            guard let event = try parser.consume(line) else { continue }
            hasBroughtEvents = true
            return event
        }
        return nil
    }

    private mutating func connect(_ actor: isolated (any Actor)?) async throws(HTTPError) {
        var request = source.request
        if !request.headerFields.contains(.accept) { request.headerFields[.accept] = "text/event-stream" }
        request.headerFields[.cacheControl] = "no-store"
        if !parser.lastEventID.isEmpty { request.headerFields[.lastEventID] = parser.lastEventID }
        if request.timeouts == nil {
            // An event stream may be silent for long, and has no end.
            request.timeouts = HTTPTimeouts(connect: source.session.configuration.timeouts.connect, idle: nil)
        }
        let answer = try await source.session.stream(for: request)
        switch answer.status.code {
        case 200: break
        case 204:
            isFinished = true
            return
        default: throw .unacceptableStatus(answer.response, body: Data())
        }
        let type = answer.response.headerFields[.contentType]
        let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard essence == "text/event-stream" else {
            throw .unacceptableContentType(type, answer.response, body: Data())
        }
        hasConnected = true
        lines = answer.body.lines(limit: source.eventSizeLimit).makeAsyncIterator()
    }

    /// Notes that a connection ended, or could not be made.
    private mutating func countFailure(_ error: HTTPError) throws(HTTPError) {
        failureCount = hasBroughtEvents ? 0 : failureCount + 1
        hasBroughtEvents = false
        if let limit = source.reconnectionLimit, failureCount > limit {
            isFinished = true
            throw error
        }
    }

    private mutating func pause(_ actor: isolated (any Actor)?) async throws(HTTPError) {
        let delay = (parser.retry ?? Self.usualDelay) * (1 << min(failureCount, 10))
        do {
            try await source.clock.sleep(for: min(delay, max(Self.maximumDelay, parser.retry ?? .zero)))
        } catch {
            isFinished = true
            throw .cancelled
        }
    }
}

extension HTTPSession {
    /// The events that a server pushes to an address, absolute or relative to the session's base URL.
    public func serverSentEvents(from path: String) throws(HTTPError) -> HTTPServerSentEvents {
        serverSentEvents(for: HTTPRequest(url: try url(for: path)))
    }

    /// The events that a server pushes in answer to a request.
    ///
    /// Where the request has no time-outs of its own, there is no limit to the silence of the server.
    ///
    /// - Parameters:
    ///   - request: What to ask for.
    ///   - clock: By which the time between two connections is waited for.
    public func serverSentEvents(
        for request: HTTPRequest,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> HTTPServerSentEvents {
        HTTPServerSentEvents(session: self, request: request, clock: clock)
    }
}
