import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Trying again: what, when, how often, and within whose patience.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
    private let url = URL(filePath: "/")

    /// Answers each exchange with the next of the statuses, or fails it where that is `nil`; 200 after the last.
    private func transport(_ statuses: [Int?], fields: HTTPFields = [:]) -> (ScriptedTransport, Recorder<HTTPRequest>) {
        let sent = Recorder<HTTPRequest>()
        let transport = ScriptedTransport { request, exchange in
            sent.record(request)
            let number = sent.elements.count - 1
            guard let status = number < statuses.count ? statuses[number] : 200 else {
                return exchange.exchangeDidFinish(.failure(.connectionLost(reason: "cut")))
            }
            exchange.exchangeDidReceive(
                HTTPResponse(status: .init(code: status), headerFields: fields, url: request.url)
            )
            _ = exchange.exchangeDidReceive(Data("\(status)".utf8))
            exchange.exchangeDidFinish(.success(HTTPTaskMetrics()))
        }
        return (transport, sent)
    }

    private func policy(limit: Int = 3, random: Double = 1) -> HTTPRetryPolicy {
        var policy = HTTPRetryPolicy.exponential(limit: limit, base: .seconds(1), cap: .seconds(5))
        policy.random = { random }
        policy.now = { Date(timeIntervalSince1970: 784_111_777) }
        return policy
    }

    private func request(_ method: HTTPRequest.Method = .get) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: "http://host/")))
    }

    private func session(
        _ transport: ScriptedTransport,
        _ policy: HTTPRetryPolicy,
        clock: SteppedClock = SteppedClock(),
        timeouts: HTTPTimeouts = .init()
    ) -> HTTPSession {
        var configuration = HTTPSession.Configuration(timeouts: timeouts, interceptors: [.retry(policy)])
        configuration.clock = clock
        return HTTPSession(configuration: configuration, transport: transport)
    }

    @Test func waitsGrowAndTheLastAnswerStands() async throws {
        let (transport, sent) = transport([503, nil, 500, 429, 200])
        let clock = SteppedClock()
        let session = session(transport, policy(), clock: clock)
        let answer = Task { try await session.data(for: request()) }
        for seconds in [1, 2, 4] {
            #expect(await eventually { clock.sleeperCount == 1 })
            // Who waits holds no place, and the session knows it.
            #expect(session.runningTaskCount == 0 && session.waitingTaskCount == 1)
            clock.advance(by: .seconds(seconds))
        }
        #expect(try await answer.value.status == 429)
        #expect(try await answer.value.text == "429")
        #expect(try await answer.value.metrics.retryCount == 3)
        #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(sent.elements.count == 4)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func statusesThatMayPass(code: Int) async throws {
        let (transport, _) = transport([code])
        #expect(try await session(transport, policy(random: 0)).data(for: request()).status == 200)
    }

    @Test(arguments: [400, 401, 404, 410, 501, 505])
    func statusesThatStand(code: Int) async throws {
        let (transport, sent) = transport([code])
        let answer = try await session(transport, policy(random: 0)).data(for: request())
        #expect(answer.status.code == code)
        #expect(answer.text == "\(code)")
        #expect(sent.elements.count == 1)
    }

    @Test func onlyMethodsThatDoNoHarmTwice() async throws {
        for method in [HTTPRequest.Method.get, .head, .put, .delete, .options, .trace, .post, .patch] {
            let (transport, sent) = transport([503])
            _ = try await session(transport, policy(random: 0)).data(for: request(method))
            #expect(sent.elements.count == (method == .post || method == .patch ? 1 : 2))
        }
    }

    /// An answer that broke off is collected anew, and comes once.
    @Test func anAnswerThatBrokeOffBeginsAgain() async throws {
        let count = Lock(0)
        let transport = ScriptedTransport { request, exchange in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            exchange.exchangeDidReceive(HTTPResponse(status: .ok, url: request.url))
            _ = exchange.exchangeDidReceive(Data("part".utf8))
            if isFirst { return exchange.exchangeDidFinish(.failure(.bodyTooShort(received: 4, expected: 9))) }
            _ = exchange.exchangeDidReceive(Data(" two".utf8))
            exchange.exchangeDidFinish(.success(HTTPTaskMetrics()))
        }
        let session = session(transport, policy(random: 0))
        #expect(try await session.data(for: request()).text == "part two")
        // Who has read a part cannot be given it again.
        count.withLock { $0 = 0 }
        let receiver = RecordingDelegate()
        _ = session.task(with: try request(), delegate: receiver)
        await receiver.end.pass()
        #expect(receiver.error == .bodyTooShort(received: 4, expected: 9))
    }

    @Test(arguments: [
        ("3", Duration.seconds(3)), ("0", .zero), ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
        ("Sunday, 06-Nov-94 08:49:47 GMT", .seconds(10)), ("Sun Nov  6 08:49:47 1994", .seconds(10)),
        ("Sun, 06 Nov 1994 08:49:27 GMT", .zero), ("-5", .zero), ("soon", .zero), ("", .zero),
        ("99999999999999999999999", .seconds(365 * 24 * 3600)),
    ])
    func retryAfterIsWaited(value: String, wait: Duration) throws {
        let response = HTTPResponse(status: .init(code: 503), headerFields: [.retryAfter: value], url: url)
        let decision = policy(random: 0).decision(on: HTTPAttempt(request: try request(), response: response))
        #expect(decision == .retry(after: wait))
    }

    /// No server makes a caller wait longer than it wants to.
    @Test func aWaitBeyondTheTotalLimitIsNotWaited() async throws {
        let (transport, sent) = transport([503], fields: [.retryAfter: "3600"])
        let clock = SteppedClock()
        let session = session(transport, policy(), clock: clock, timeouts: .init(total: .seconds(30)))
        let answer = try await session.data(for: request())
        #expect(answer.status == 503 && answer.text == "503")
        #expect(sent.elements.count == 1 && clock.waits.isEmpty)
    }

    @Test func waitsAreCappedAndRandom() throws {
        let waits = (0..<8).map { count in
            let attempt = HTTPAttempt(
                request: HTTPRequest(url: url),
                error: .connectionLost(reason: ""),
                retryCount: count
            )
            return policy(limit: 100, random: 0.5).decision(on: attempt).delay
        }
        #expect(waits == [0.5, 1, 2, 2.5, 2.5, 2.5, 2.5, 2.5].map { .seconds($0) })
    }

    @Test func theBudgetStopsAStorm() async throws {
        let (transport, sent) = transport(Array(repeating: 503, count: 10_000))
        var policy = policy(limit: 5, random: 0)
        policy.budget = HTTPRetryBudget(ratio: 0.1, capacity: 10)
        let session = session(transport, policy)
        for _ in 0..<100 { _ = try await session.data(for: request()) }
        // The ten, a tenth of the requests, and a tenth of the repetitions.
        #expect((100...123).contains(sent.elements.count))
    }

    @Test func aTaskThatWaitsForItsNextTryCanBeCancelled() async throws {
        let (transport, sent) = transport([503, 503])
        let clock = SteppedClock()
        let session = session(transport, policy(), clock: clock)
        let receiver = RecordingDelegate()
        let task = session.task(with: try request(), delegate: receiver)
        #expect(await eventually { clock.sleeperCount == 1 })
        task.cancel()
        #expect(receiver.error == .cancelled)
        await session.waitUntilIdle()
        #expect(await eventually { clock.sleeperCount == 0 })
        #expect(sent.elements.count == 1)
    }

    @Test func suspensionOutlastsTheWait() async throws {
        let (transport, sent) = transport([503])
        let clock = SteppedClock()
        let session = session(transport, policy(), clock: clock)
        let receiver = RecordingDelegate()
        let task = session.task(with: try request(), delegate: receiver)
        #expect(await eventually { clock.sleeperCount == 1 })
        task.suspend()
        clock.advance(by: .seconds(10))
        #expect(await eventually { clock.sleeperCount == 0 })
        #expect(sent.elements.count == 1)
        #expect(task.state == .suspended)
        task.resume()
        await receiver.end.pass()
        #expect(receiver.current.responses.map(\.status.code) == [200])
    }

    /// Adds a field, or refuses.
    private struct Stamp: HTTPInterceptor {
        let value: String
        var error: HTTPError?

        func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest {
            if let error { throw error }
            var request = request
            request.headerFields.append(HTTPField(name: .from, value: value))
            return request
        }
    }

    @Test func interceptorsChangeRequestsInOrderAndBeforeEachTry() async throws {
        let (transport, sent) = transport([503])
        let session = session(transport, policy(random: 0))
        session.interceptors.append(Stamp(value: "session"))
        var wanted = try request()
        wanted.interceptors = [Stamp(value: "request")]
        let events = session.events
        _ = try await session.data(for: wanted)
        #expect(
            sent.elements.map { $0.headerFields[values: .from] } == [["session", "request"], ["session", "request"]]
        )
        var words: [String] = []
        for await event in events {
            switch event {
            case .started: words.append("started")
            case .retried: words.append("retried")
            case .received: words.append("received")
            default: break
            }
            if case .finished = event { break }
        }
        #expect(words == ["started", "retried", "started", "received"])

        wanted.interceptors = [Stamp(value: "", error: .transport(code: 1, message: "no"))]
        await #expect(throws: HTTPError.transport(code: 1, message: "no")) { try await session.data(for: wanted) }
        await session.waitUntilIdle()
        #expect(session.tasks.isEmpty)
    }
}
