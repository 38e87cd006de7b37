import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Suspending and resuming, as a user and a server see it.
@Suite(.timeLimit(.minutes(1)))
struct SuspensionTests {
    @Test func aSuspendedTaskKeepsItsPlaceInTheQueue() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, request in
            if request.target == "/first" { gate.block() }
            try connection.respond(text: request.target)
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 1))
        let delegates = (0..<4).map { _ in RecordingDelegate() }
        let tasks = zip(["/first", "/a", "/b", "/c"], delegates).map {
            session.task(with: HTTPRequest(url: server.url($0)), delegate: $1)
        }
        tasks[1].suspend()
        tasks[2].suspend()
        #expect(tasks[1].state == .suspended)
        #expect(session.waitingTaskCount == 3)
        tasks[1].resume()
        #expect(tasks[1].state == .waiting)
        gate.open()
        await delegates[3].end.pass()
        #expect(tasks[2].state == .suspended)
        tasks[2].resume()
        await session.waitUntilIdle()
        #expect(server.requests.map(\.target) == ["/first", "/a", "/c", "/b"])
    }

    @Test func aRunningTaskReadsNoFurther() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond("200 OK", fields: ["Content-Length: 8000000"])
            for _ in 0..<80 { try connection.send(Data(count: 100_000)) }
        }
        let delegate = RecordingDelegate()
        let task = HTTPSession().task(with: HTTPRequest(url: server.url()), delegate: delegate)
        task.suspend()
        await delegate.firstChunk.pass()
        // What is on its way may still come; then nothing does.
        try await Task.sleep(for: .milliseconds(100))
        #expect(delegate.current.chunkCount <= 2)
        #expect(task.state == .suspended)
        #expect(task.progress.fraction != 1)
        task.resume()
        await delegate.end.pass()
        #expect(delegate.current.received == 8_000_000)
        #expect(task.progress.fraction == 1)
        #expect(task.progress.isComplete)
    }

    /// A reader that catches up must not undo what the owner wants.
    @Test func aReceiverDoesNotEndASuspension() throws {
        let transport = ScriptedTransport { request, exchange in
            exchange.exchangeDidReceive(HTTPResponse(status: .ok, url: request.url))
            #expect(exchange.exchangeDidReceive(Data(count: 10)) == .pause)
        }
        let url = try #require(URL(string: "http://host/"))
        let delegate = RecordingDelegate(flow: .pause)
        let task = HTTPSession(transport: transport).task(with: HTTPRequest(url: url), delegate: delegate)
        task.suspend()
        task.resumeReceiving()
        #expect(transport.exchange.resumeCount == 0)
        task.resume()
        #expect(transport.exchange.resumeCount == 1)
        task.cancel()
    }

    @Test func aSuspendedTaskCanBeCancelled() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, _ in
            gate.block()
            try connection.respond(text: "x")
        }
        defer { gate.open() }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 1))
        let (running, waiting) = (RecordingDelegate(), RecordingDelegate())
        let tasks = [running, waiting].map { session.task(with: HTTPRequest(url: server.url()), delegate: $0) }
        session.suspendAll()
        #expect(tasks.map(\.state) == [.suspended, .suspended])
        session.cancelAllTasks()
        await session.waitUntilIdle()
        #expect(running.error == .cancelled && waiting.error == .cancelled)
        #expect(session.tasks.isEmpty)
    }

    @Test("AFNetworking 34: resume, suspend, resume post one suspension and one resumption")
    func eventsOfRealTransitions() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, _ in
            gate.block()
            try connection.respond(text: "x")
        }
        let monitor = RecordingMonitor()
        let session = HTTPSession(configuration: .init(eventMonitors: [monitor]))
        let task = session.task(with: HTTPRequest(url: server.url()), delegate: RecordingDelegate())
        task.resume()
        task.suspend()
        task.suspend()
        task.resume()
        task.resume()
        gate.open()
        await session.waitUntilIdle()
        let expected = ["created", "started", "suspended", "resumed", "received 200", "finished"]
        #expect(monitor.words == expected)
    }
}
