import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The tasks of a session as a whole.
@Suite(.timeLimit(.minutes(1)))
struct RegistryTests {
    private func gated(_ gate: TestGate) throws -> FaultServer {
        try FaultServer { connection, request in
            gate.block()
            try connection.respond(text: request.target)
        }
    }

    @Test func tasksAreKnownUntilTheyEnd() async throws {
        let gate = TestGate()
        let server = try gated(gate)
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 2))
        let tasks = (0..<5).map { number in
            session.data(for: HTTPRequest(url: server.url("/\(number)")), completion: { _ in })
        }
        tasks[3].taskDescription = "the fourth"
        #expect(session.tasks.map(\.id) == tasks.map(\.id))
        #expect(session.tasks[3].taskDescription == "the fourth")
        gate.open()
        await session.waitUntilIdle()
        #expect(session.tasks.isEmpty)
    }

    /// Idle is who has told all receivers.
    @Test func idleComesAfterTheLastHandler() async throws {
        let gate = TestGate()
        let server = try gated(gate)
        let session = HTTPSession()
        let handled = Lock(0)
        for number in 0..<20 {
            let handler = { @Sendable (_: Result<HTTPDataResponse, HTTPError>) in
                Thread.sleep(forTimeInterval: 0.001)
                handled.withLock { $0 += 1 }
            }
            session.data(for: HTTPRequest(url: server.url("/\(number)")), completion: handler)
        }
        gate.open()
        await session.waitUntilIdle()
        #expect(handled.withLock { $0 } == 20)
        // A session without tasks is idle.
        await session.waitUntilIdle()
    }

    @Test(arguments: [true, false])
    func invalidationIsToldOnceAndAtTheEnd(cancelling: Bool) async throws {
        let gate = TestGate()
        let server = try gated(gate)
        let monitor = RecordingMonitor()
        let session = HTTPSession(configuration: .init(eventMonitors: [monitor]))
        let delegate = RecordingDelegate()
        _ = session.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        session.invalidate(cancellingTasks: cancelling)
        if !cancelling { #expect(!monitor.words.contains("invalidated")) }
        if cancelling { await delegate.end.pass() }
        gate.open()
        await session.invalidateAndWait(cancellingTasks: false)
        session.invalidate(cancellingTasks: true)
        #expect(delegate.error == (cancelling ? .cancelled : nil))
        #expect(monitor.words.suffix(2) == ["finished", "invalidated"])
        await #expect(throws: HTTPError.sessionInvalidated) {
            try await session.data(for: HTTPRequest(url: server.url()))
        }
    }

    @Test("AFNetworking 32: a session that was invalidated stays so, and another takes its place")
    func anotherSessionTakesTheTransport() async throws {
        let gate = TestGate()
        gate.open()
        let server = try gated(gate)
        let transport = CurlTransport()
        let first = HTTPSession(transport: transport)
        first.invalidate(cancellingTasks: false)
        let second = HTTPSession(configuration: first.configuration, transport: transport)
        #expect(try await second.data(for: HTTPRequest(url: server.url("/x"))).text == "/x")
        transport.shutdown()
    }

    @Test("AFNetworking 33: the end is told with its measures, after the handler")
    func theEndIsToldAfterTheHandler() async throws {
        let gate = TestGate()
        gate.open()
        let server = try gated(gate)
        let session = HTTPSession()
        let events = session.events
        let handled = Lock(false)
        session.data(for: HTTPRequest(url: server.url("/x")), completion: { _ in handled.withLock { $0 = true } })
        for await event in events {
            guard case .finished(let result, let task) = event else { continue }
            #expect(handled.withLock { $0 })
            #expect(try result.get().total > .zero)
            #expect(task.metrics == (try result.get()))
            break
        }
    }

    @Test func everyListenerHearsAllEventsUntilTheSessionGoes() async throws {
        let gate = TestGate()
        gate.open()
        let server = try gated(gate)
        let streams: [AsyncStream<HTTPTaskEvent>]
        do {
            let session = HTTPSession()
            streams = [session.events, session.events]
            _ = try await session.data(for: HTTPRequest(url: server.url("/x")))
            await session.waitUntilIdle()
        }
        for stream in streams {
            var count = 0
            for await event in stream {
                count += 1
                if case .finished = event { break }
            }
            #expect(count == 4)
        }
    }

    @Test("AFNetworking 26: upload and download progress reach exactly 1")
    func progressReachesOne() async throws {
        let server = try FaultServer { connection, request in
            if request.target == "/chunked" {
                try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            } else {
                try connection.respond(text: "answer")
            }
        }
        let session = HTTPSession()
        for path in ["/plain", "/chunked"] {
            let (down, up) = (Recorder<HTTPProgress>(), Recorder<HTTPProgress>())
            let body = HTTPRequestBody.bytes(Data(count: 100_000))
            let request = HTTPRequest(method: .post, url: server.url(path), body: body)
            _ = try await session.data(for: request, progress: down.record, uploadProgress: up.record)
            #expect(down.elements.last?.fraction == 1)
            #expect(up.elements.last == HTTPProgress(completed: 100_000, expected: 100_000))
        }
    }
}
