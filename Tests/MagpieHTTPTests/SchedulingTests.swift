import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Which task a session starts when, seen from the server.
@Suite(.timeLimit(.minutes(1)))
struct SchedulingTests {
    /// Holds the first request back until the gate opens, and answers all.
    private func gated(_ gate: TestGate) throws -> FaultServer {
        try FaultServer { connection, request in
            if request.target == "/first" { gate.block() }
            try connection.respond(text: request.target)
        }
    }

    private func request(_ server: FaultServer, _ path: String, _ priority: HTTPPriority = .normal) -> HTTPRequest {
        var request = HTTPRequest(url: server.url(path))
        request.priority = priority
        return request
    }

    @Test(arguments: [
        (HTTPTaskOrder.fifo, ["/first", "/e", "/c", "/b", "/d", "/a"]),
        (.lifo, ["/first", "/e", "/c", "/d", "/b", "/a"]),
    ])
    func prioritiesAndOrder(order: HTTPTaskOrder, expected: [String]) async throws {
        let gate = TestGate()
        let server = try gated(gate)
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 1))
        let plan: [(String, HTTPPriority)] = [
            ("/first", .normal), ("/a", .low), ("/b", .normal), ("/c", .high), ("/d", .normal), ("/e", .veryLow),
        ]
        let delegates = plan.map { _ in RecordingDelegate() }
        let tasks = zip(plan, delegates).map { session.task(with: request(server, $0.0, $0.1), delegate: $1) }
        session.order = order
        tasks[5].priority = .veryHigh
        #expect(tasks[5].priority == .veryHigh)
        gate.open()
        for delegate in delegates { await delegate.end.pass() }
        #expect(server.requests.map(\.target) == expected)
    }

    @Test func limitsHoldAndChangeLive() async throws {
        let gate = TestGate()
        let running = Lock((now: 0, most: 0))
        let server = try FaultServer { connection, _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            gate.block()
            running.withLock { $0.now -= 1 }
            try connection.respond(text: "x")
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 10, maximumConcurrentTasksPerHost: 2))
        let delegates = (0..<12).map { _ in RecordingDelegate() }
        for delegate in delegates { _ = session.task(with: HTTPRequest(url: server.url()), delegate: delegate) }
        #expect(await eventually { running.withLock { $0.now } == 2 })
        #expect(session.runningTaskCount == 2)
        #expect(session.waitingTaskCount == 10)
        session.maximumConcurrentTasksPerHost = 5
        #expect(await eventually { running.withLock { $0.now } == 5 })
        #expect(session.runningTaskCount == 5)
        gate.open()
        for delegate in delegates { await delegate.end.pass() }
        #expect(running.withLock { $0.most } == 5)
    }

    @Test func aSlowHostHoldsNoOtherBack() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let slow = try FaultServer { _, _ in gate.block() }
        let quick = try FaultServer { connection, _ in try connection.respond(text: "x") }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 3, maximumConcurrentTasksPerHost: 2))
        for _ in 0..<50 { session.data(for: request(slow, "/", .veryHigh), completion: { _ in }) }
        for _ in 0..<20 { _ = try await session.data(for: request(quick, "/", .veryLow)) }
        session.invalidate(cancellingTasks: true)
    }

    @Test func tenThousandQueuedAndCancelledLeaveNothing() async throws {
        let gate = TestGate()
        let server = try FaultServer { connection, request in
            gate.block()
            try connection.respond(text: request.target)
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 4))
        let count = 10_000
        let ended = Lock((cancelled: 0, loaded: 0))
        let allEnded = TestGate()
        let tasks = (0..<count).map { number in
            session.data(for: request(server, "/\(number)")) { result in
                let isLast = ended.withLock { ended in
                    if case .success = result { ended.loaded += 1 } else { ended.cancelled += 1 }
                    return ended.cancelled + ended.loaded == count
                }
                if isLast { allEnded.open() }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            let shuffled = tasks.shuffled()
            for part in 0..<2 {
                group.addTask {
                    for (index, task) in shuffled.enumerated() where index % 2 == part && index < count - 8 {
                        task.cancel()
                    }
                }
            }
        }
        gate.open()
        await allEnded.pass()
        #expect(session.waitingTaskCount == 0)
        #expect(session.runningTaskCount == 0)
        #expect(ended.withLock { $0.loaded } <= 8 + 4)
        #expect(ended.withLock { $0.loaded } >= 4)
        #expect(tasks.allSatisfy { $0.state == .finished })
        #expect(Set(tasks.map(\.id)).count == count)
    }

    @Test func theWaitIsMeasured() async throws {
        let gate = TestGate()
        let server = try gated(gate)
        let session = HTTPSession(configuration: .init(maximumConcurrentTasks: 1))
        session.data(for: request(server, "/first"), completion: { _ in })
        let delegate = RecordingDelegate()
        let task = session.task(with: request(server, "/second"), delegate: delegate)
        try await Task.sleep(for: .milliseconds(20))
        gate.open()
        await delegate.end.pass()
        #expect(try #require(task.metrics).queue >= .milliseconds(20))
    }

    @Test func theHeadCanBeWaitedFor() async throws {
        let (gate, waiterGone) = (TestGate(), TestGate())
        let server = try gated(gate)
        let task = HTTPSession().task(with: request(server, "/first"), delegate: RecordingDelegate())
        let impatient = Task {
            defer { waiterGone.open() }
            return try await task.response()
        }
        impatient.cancel()
        await #expect(throws: HTTPError.cancelled) { try await impatient.value }
        await waiterGone.pass()
        let patient = Task { try await task.response() }
        gate.open()
        #expect(try await patient.value.status == .ok)
        #expect(try await task.response().status == .ok)
    }
}
