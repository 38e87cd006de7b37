import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a session makes of the calls of a transport, whatever their order in time.
@Suite(.timeLimit(.minutes(1)))
struct ForeignTransportTests {
    /// Asks for a pause at the first chunk, and takes that back when it is told to.
    private final class Hesitant: HTTPTaskDelegate {
        private let paused = Lock<HTTPTask?>(nil)

        func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow {
            paused.withLock { $0 = task }
            return .pause
        }

        func task(_ task: HTTPTask, didReceive response: HTTPResponse) {}
        func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>) {}
        func goOn() { paused.withLock { $0 }?.resume() }
    }

    private func request() throws -> HTTPRequest { HTTPRequest(url: try #require(URL(string: "http://host/"))) }

    /// The first chunk may come, and be paused and resumed, before the session knows the exchange.
    @Test func aResumeBeforeTheExchangeIsKnownIsNotLost() throws {
        let delegate = Hesitant()
        let transport = ScriptedTransport { request, exchange in
            exchange.exchangeDidReceive(HTTPResponse(status: .ok, url: request.url))
            #expect(exchange.exchangeDidReceive(Data(count: 10)) == .pause)
            delegate.goOn()
        }
        let task = HTTPSession(transport: transport).task(with: try request(), delegate: delegate)
        #expect(task.state == .running)
        #expect(transport.exchange.resumeCount == 1)
    }

    /// A later pause, which nobody has taken back, stays.
    @Test func anOlderResumeDoesNotEndALaterPause() throws {
        let delegate = Hesitant()
        let transport = ScriptedTransport { request, exchange in
            exchange.exchangeDidReceive(HTTPResponse(status: .ok, url: request.url))
            #expect(exchange.exchangeDidReceive(Data(count: 10)) == .pause)
            delegate.goOn()
            #expect(exchange.exchangeDidReceive(Data(count: 10)) == .pause)
        }
        let task = HTTPSession(transport: transport).task(with: try request(), delegate: delegate)
        #expect(task.state == .paused)
        #expect(transport.exchange.resumeCount == 0)
        task.resume()
        #expect(transport.exchange.resumeCount == 1)
    }

    /// After a pause one more chunk may come; the stream resumes all the same once it has been read.
    @Test func aChunkAfterThePauseDoesNotMakeTheStreamForgetIt() async throws {
        let transport = ScriptedTransport { request, exchange in
            exchange.exchangeDidReceive(HTTPResponse(status: .ok, url: request.url))
            for size in [100_000, 100_000] { #expect(exchange.exchangeDidReceive(Data(count: size)) == .proceed) }
            #expect(exchange.exchangeDidReceive(Data(count: 100_000)) == .pause)
        }
        let relay = Lock<(any HTTPExchangeDelegate)?>(nil)
        let recording = ScriptedTransport { request, exchange in
            relay.withLock { $0 = exchange }
            _ = transport.start(request, settings: HTTPTransportSettings(), delegate: exchange)
        }
        let stream = try await HTTPSession(transport: recording).stream(for: request())
        var chunks = stream.body.makeAsyncIterator()
        #expect(try await chunks.next()?.count == 100_000)
        // 200 kB are left, less than makes a pause and more than ends one.
        _ = relay.withLock { $0 }?.exchangeDidReceive(Data(count: 10))
        for size in [100_000, 100_000, 10] { #expect(try await chunks.next()?.count == size) }
        #expect(recording.exchange.resumeCount == 1)
        #expect(stream.task.state == .running)
    }

    @Test func aSuccessWithoutAHeadIsAnError() async throws {
        let transport = ScriptedTransport { _, exchange in exchange.exchangeDidFinish(.success(HTTPTaskMetrics())) }
        let session = HTTPSession(transport: transport)
        let task = session.task(with: try request(), delegate: RecordingDelegate())
        guard case .failure(.malformedResponse) = task.result else {
            Issue.record("\(String(describing: task.result))")
            return
        }
        let error = await #expect(throws: HTTPError.self) { try await session.stream(for: request()) }
        #expect(error?.code == "malformed-response")
    }
}
