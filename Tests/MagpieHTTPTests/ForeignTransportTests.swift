import Foundation
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
}
