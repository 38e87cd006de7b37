import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Cancelling at each stage: the waiter hears at once, exactly once, and the server sees the connection close.
@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    @Test func whileQueued() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, request in
            gate.block()
            try connection.respond(text: request.target)
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 1))
        let (first, second) = (RecordingDelegate(), RecordingDelegate())
        let running = session.task(with: HTTPRequest(url: server.url("/1")), delegate: first)
        let queued = session.task(with: HTTPRequest(url: server.url("/2")), delegate: second)
        #expect(queued.state == .waiting)
        queued.cancel()
        #expect(second.error == .cancelled)
        #expect(queued.state == .finished)
        #expect(session.waitingTaskCount == 0)
        gate.open()
        await first.end.pass()
        #expect(running.metrics != nil)
        #expect(server.requests.map(\.target) == ["/1"])
    }

    @Test func whileConnecting() async throws {
        let deaf = try DeafListener()
        let delegate = RecordingDelegate()
        let session = HTTPSession()
        let task = session.task(with: HTTPRequest(url: deaf.url), delegate: delegate)
        task.cancel()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
        #expect(session.runningTaskCount == 0)
    }

    @Test func whileTheNameIsLookedUp() async throws {
        let delegate = RecordingDelegate()
        let url = try #require(URL(string: "http://a-name-to-look-up.invalid/"))
        HTTPSession().task(with: HTTPRequest(url: url), delegate: delegate).cancel()
        await delegate.end.pass()
        #expect(delegate.current.results.count == 1)
    }

    @Test(arguments: [HTTPFlow.proceed, .pause], ["/head", "/body"])
    func whileTheServerAnswers(flow: HTTPFlow, path: String) async throws {
        let (reached, sawClose) = (TestGate(), TestGate())
        let server = try FaultServer { connection, request in
            if request.target == "/body" {
                try connection.respond(fields: ["Content-Length: 100000"])
                try connection.send("some")
            }
            reached.open()
            if connection.waitForPeerToClose() { sawClose.open() }
        }
        let delegate = RecordingDelegate(flow: flow)
        let task = HTTPSession().task(with: HTTPRequest(url: server.url(path)), delegate: delegate)
        await reached.pass()
        if path == "/body" { await delegate.firstChunk.pass() }
        task.cancel()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
        await sawClose.pass()
        task.cancel()
        task.resume()
        #expect(delegate.current.results.count == 1)
        #expect(delegate.current.lateCallCount == 0)
        #expect(task.result == .failure(.cancelled))
    }

    @Test func theSwiftTaskCancelsTheRequest() async throws {
        let (reached, sawClose) = (TestGate(), TestGate())
        let server = try FaultServer { connection, _ in
            reached.open()
            if connection.waitForPeerToClose() { sawClose.open() }
        }
        let waiting = Task { try await HTTPSession().data(for: HTTPRequest(url: server.url())) }
        await reached.pass()
        waiting.cancel()
        await #expect(throws: HTTPError.cancelled) { try await waiting.value }
        await sawClose.pass()
    }

    @Test func aTaskThatIsCancelledBeforeItStarts() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(text: "x") }
        let gate = TestGate()
        let waiting = Task {
            await gate.pass()
            return try await HTTPSession().data(for: HTTPRequest(url: server.url()))
        }
        waiting.cancel()
        gate.open()
        await #expect(throws: HTTPError.cancelled) { try await waiting.value }
        #expect(server.requests.isEmpty)
    }

    @Test func fromWithinTheDelegate() async throws {
        final class Canceller: HTTPTaskDelegate {
            let end = TestGate()
            let inner = RecordingDelegate()
            func task(_ task: HTTPTask, didReceive response: HTTPResponse) { task.cancel() }
            func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow { inner.task(task, didReceive: chunk) }
            func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>) {
                inner.task(task, didFinish: result)
            }
        }
        let server = try FaultServer { connection, _ in try connection.respond(body: Data(count: 100_000)) }
        let delegate = Canceller()
        _ = HTTPSession().task(with: HTTPRequest(url: server.url()), delegate: delegate)
        await delegate.inner.end.pass()
        #expect(delegate.inner.error == .cancelled)
        #expect(delegate.inner.current.chunkCount == 0)
    }

    @Test func invalidating() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let server = try FaultServer { _, _ in gate.block() }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 2))
        let delegates = (0..<5).map { _ in RecordingDelegate() }
        for delegate in delegates { _ = session.task(with: HTTPRequest(url: server.url()), delegate: delegate) }
        session.invalidate(cancellingTasks: true)
        for delegate in delegates {
            await delegate.end.pass()
            #expect(delegate.error == .cancelled)
        }
        await #expect(throws: HTTPError.sessionInvalidated) {
            try await session.data(for: HTTPRequest(url: server.url()))
        }
    }

    @Test func aReleasedSessionFinishesItsTasks() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, _ in
            gate.block()
            try connection.respond(text: "done")
        }
        let delegate = RecordingDelegate()
        let session: WeakSession
        do {
            let temporary = HTTPSession()
            session = WeakSession(temporary)
            _ = temporary.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        }
        #expect(session.isAlive)
        gate.open()
        await delegate.end.pass()
        #expect(delegate.current.received == 4)
        #expect(await eventually { !session.isAlive })
    }

    @Test func aCancelledTaskKeepsNothingAlive() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let server = try FaultServer { _, _ in gate.block() }
        let session: WeakSession
        let delegate = RecordingDelegate()
        do {
            let temporary = HTTPSession()
            session = WeakSession(temporary)
            let task = temporary.task(with: HTTPRequest(url: server.url()), delegate: delegate)
            #expect(await eventually { server.requests.count == 1 })
            task.cancel()
        }
        await delegate.end.pass()
        #expect(await eventually { !session.isAlive })
    }

    @Test func aTransportThatIsShutDown() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let server = try FaultServer { _, _ in gate.block() }
        let transport = CurlTransport()
        let session = HTTPSession(transport: transport)
        let delegate = RecordingDelegate()
        _ = session.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        #expect(await eventually { server.requests.count == 1 })
        transport.shutdown()
        transport.shutdown()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
        await #expect(throws: HTTPError.cancelled) { try await session.data(for: HTTPRequest(url: server.url())) }
    }
}

/// Tells whether a session lives, without keeping it alive.
///
/// `@unchecked Sendable`: set once; reading a weak reference is atomic.
private final class WeakSession: @unchecked Sendable {
    private weak var session: HTTPSession?

    init(_ session: HTTPSession) { self.session = session }

    var isAlive: Bool { session != nil }
}
