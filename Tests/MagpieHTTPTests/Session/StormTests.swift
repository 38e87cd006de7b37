import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Many tasks at once, cancelled, suspended and resumed in any order: each ends once, and nothing is left behind.
@Suite(.timeLimit(.minutes(2)))
struct StormTests {
    /// Counts ends, and finds calls that overlap or come late.
    private final class Watcher: HTTPTaskDelegate {
        private let state = Lock((isBusy: false, isOver: false, faults: 0))
        private let onEnd: @Sendable () -> Void
        private let pauses: Bool

        init(pauses: Bool, onEnd: @escaping @Sendable () -> Void) {
            self.pauses = pauses
            self.onEnd = onEnd
        }

        var isOver: Bool { state.withLock { $0.isOver } }
        var faults: Int { state.withLock { $0.faults } }

        private func call(isLast: Bool = false) {
            state.withLock { state in
                if state.isBusy || state.isOver { state.faults += 1 }
                (state.isBusy, state.isOver) = (true, isLast)
            }
            sched_yield()
            state.withLock { $0.isBusy = false }
        }

        func task(_ task: HTTPTask, didReceive response: HTTPResponse) { call() }

        func task(_ task: HTTPTask, didReceive chunk: Data) -> HTTPFlow {
            call()
            if pauses { Thread.detachNewThread { task.resume() } }
            return pauses ? .pause : .proceed
        }

        func task(_ task: HTTPTask, didFinish result: Result<HTTPTaskMetrics, HTTPError>) {
            call(isLast: true)
            onEnd()
        }
    }

    /// Follows every other redirect, after a moment.
    private final class Undecided: HTTPSessionDelegate {
        func willFollowRedirect(
            to request: HTTPRequest,
            after response: HTTPResponse,
            of task: HTTPTask
        ) async -> HTTPRequest? {
            await Task.yield()
            return task.id % 2 == 0 ? request : nil
        }
    }

    /// References that do not keep a task alive.
    private struct Weak {
        weak var task: HTTPTask?
    }

    /// Does something to each task, several times and on several threads.
    private func disturb(_ tasks: [HTTPTask], rounds: Int, cancelling: Double, seed: UInt64) async {
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<2 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(part))
                    for _ in 0..<rounds {
                        for task in tasks.shuffled(using: &random) {
                            switch Double.random(in: 0..<1, using: &random) {
                            case ..<cancelling: task.cancel()
                            case ..<0.5: task.suspend()
                            default: task.resume()
                            }
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [(UInt64(1), 10_000), (2, 2_000), (3, 2_000)])
    func tenThousandTasksInAnyOrder(seed: UInt64, count: Int) async throws {
        let url = try #require(URL(string: "http://host/"))
        let transport = DriftingTransport(seed: seed, threads: 3)
        defer { transport.shutdown() }
        var policy = HTTPRetryPolicy.exponential(limit: 1, base: .milliseconds(1), cap: .milliseconds(1))
        policy.budget = HTTPRetryBudget(ratio: 1, capacity: 10_000)
        let configuration = HTTPSession.Configuration(
            maximumConcurrentTasksPerHost: 16,
            interceptors: seed == 1 ? [] : [.retry(policy)],
            delegate: seed == 3 ? nil : Undecided()
        )
        let session = HTTPSession(configuration: configuration, transport: transport)
        let ends = Lock(0)
        var weak: [Weak] = []
        do {
            let watchers = (0..<count).map { number in Watcher(pauses: number % 10 == 0) { ends.withLock { $0 += 1 } } }
            let tasks = watchers.map { session.task(with: HTTPRequest(url: url), delegate: $0) }
            weak = tasks.map { Weak(task: $0) }
            await disturb(tasks, rounds: 2, cancelling: 0.1, seed: seed)
            session.resumeAll()
            await session.waitUntilIdle()
            #expect(ends.withLock { $0 } == count)
            #expect(watchers.allSatisfy { $0.isOver })
            #expect(watchers.reduce(0) { $0 + $1.faults } == 0)
        }
        #expect(session.tasks.isEmpty && session.waitingTaskCount == 0 && session.runningTaskCount == 0)
        #expect(transport.startedCount > 0)
        #expect(await eventually { transport.openCount == 0 })
        let remembered = weak
        #expect(await eventually { remembered.allSatisfy { $0.task == nil } })
    }

    @Test func liveRequestsInAnyOrder() async throws {
        let server = try FaultServer { connection, request in
            if request.target.hasSuffix("0") {
                try connection.respond("302 Found", fields: ["Location: /away"], body: Data())
            } else {
                try connection.respond("200 OK", body: Data(count: 20_000))
            }
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasksPerHost: 8, delegate: Undecided()))
        let ends = Lock(0)
        var weak: [Weak] = []
        do {
            let watchers = (0..<1_000).map { number in
                Watcher(pauses: number % 10 == 1) { ends.withLock { $0 += 1 } }
            }
            let tasks = watchers.enumerated().map { number, watcher in
                session.task(with: HTTPRequest(url: server.url("/\(number)")), delegate: watcher)
            }
            weak = tasks.map { Weak(task: $0) }
            await disturb(tasks, rounds: 3, cancelling: 0.1, seed: 4)
            session.resumeAll()
            await session.waitUntilIdle()
            #expect(ends.withLock { $0 } == watchers.count)
            #expect(watchers.reduce(0) { $0 + $1.faults } == 0)
        }
        #expect(session.tasks.isEmpty)
        #expect(await eventually { server.openConnectionCount <= 8 })
        let remembered = weak
        #expect(await eventually { remembered.allSatisfy { $0.task == nil } })
    }
}
