import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The cache against servers.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCacheServerTests {
    private static func session(_ cache: HTTPCache, limit: Int = 6) -> HTTPSession {
        HTTPSession(
            configuration: .init(maximumConcurrentTasks: limit, maximumConcurrentTasksPerHost: limit, cache: cache)
        )
    }

    @Test(.enabled(if: NginxServer.isAvailable)) func validatesWithNginx() async throws {
        let server = try await NginxServer.shared()
        let name = "cache-\(UUID().uuidString)"
        let body = TestBytes.pattern(count: 300_000)
        try body.write(to: server.root.appending(path: name))
        let session = Self.session(HTTPCache())
        var request = HTTPRequest(url: server.url("/\(name)"))
        request.cachePolicy = .reloadRevalidatingCacheData
        let first = try await session.data(for: request)
        let second = try await session.data(for: request)
        #expect(first.body == body && second.body == body && second.status == .ok)
        #expect(first.metrics.cache == .none && second.metrics.cache == .revalidated)
        let log = try await server.requests(under: "/\(name)", atLeast: 2)
        #expect(log.map(\.status) == [200, 304] && log.last?.bytesSent == 0)
    }

    @Test(.enabled(if: NginxServer.isAvailable)) func doesNotAskWhileFresh() async throws {
        let server = try await NginxServer.shared()
        let name = "cache-\(UUID().uuidString)"
        try Data("hello".utf8).write(to: server.root.appending(path: name))
        let session = Self.session(HTTPCache())
        for _ in 0..<5 {
            let answer = try await session.data(for: HTTPRequest(url: server.url("/expires/\(name)")))
            #expect(answer.text == "hello")
        }
        // One more that is sure to be written behind what is counted.
        _ = try await session.data(for: HTTPRequest(method: .head, url: server.url("/\(name)-end")))
        _ = try await server.requests(under: "/\(name)-end", atLeast: 1)
        #expect(try await server.requests(under: "/expires/\(name)").count == 1)
    }

    @Test(.enabled(if: NginxServer.isAvailable)) func coversAStoppedServer() async throws {
        let server = try await NginxServer.start()
        try Data("hello".utf8).write(to: server.root.appending(path: "file"))
        let time = Lock(Date())
        let session = Self.session(HTTPCache(staleIfError: 3600, now: { time.withLock { $0 } }))
        let request = HTTPRequest(url: server.url("/expires/file"))
        _ = try await session.data(for: request)
        server.stop()
        time.withLock { $0 += 3600 + 60 }
        let isCovered = try await eventually {
            let answer = try await session.data(for: request)
            #expect(answer.text == "hello")
            return answer.metrics.cache == .stale
        }
        #expect(isCovered)
        time.withLock { $0 += 3600 }
        await #expect(throws: HTTPError.self) { try await session.data(for: request) }
    }

    /// Holds every validation at the gate, and answers it with `fields`.
    private static func gatedServer(_ gate: TestGate, _ fields: [String]) throws -> FaultServer {
        try FaultServer { connection, request in
            guard request.field("If-None-Match") != nil else {
                return try connection.respond(fields: ["ETag: \"1\"", "Cache-Control: max-age=60"], text: "body")
            }
            gate.block()
            try connection.respond("304 Not Modified", fields: ["ETag: \"1\""] + fields)
        }
    }

    /// A hundred at once for what is stale, and also where each answer has to be validated: one question to the server.
    @Test(arguments: ["max-age=60", "no-cache"])
    func asksOnceForAll(_ control: String) async throws {
        let gate = TestGate()
        let server = try Self.gatedServer(gate, ["Cache-Control: \(control)"])
        let time = Lock(Date())
        let cache = HTTPCache(now: { time.withLock { $0 } })
        let session = Self.session(cache, limit: 100)
        let request = HTTPRequest(url: server.url("/x"))
        _ = try await session.data(for: request)
        time.withLock { $0 += 60 }
        try await withThrowingTaskGroup(of: HTTPDataResponse.self) { group in
            for _ in 0..<100 { group.addTask { try await session.data(for: request) } }
            let areWaiting = await eventually { cache.statistics.joined == 99 }
            #expect(areWaiting)
            gate.open()
            for try await answer in group {
                #expect(answer.text == "body" && answer.status == .ok)
            }
        }
        #expect(server.requests.count == 2)
    }

    /// The one that asks is cancelled: another takes its place, and nobody else notices.
    @Test func anotherAsksWhereTheFirstIsCancelled() async throws {
        let gate = TestGate()
        let server = try Self.gatedServer(gate, ["Cache-Control: max-age=60"])
        let time = Lock(Date())
        let cache = HTTPCache(now: { time.withLock { $0 } })
        let session = Self.session(cache)
        let request = HTTPRequest(url: server.url("/x"))
        _ = try await session.data(for: request)
        time.withLock { $0 += 60 }
        let first = RecordingDelegate()
        let task = session.task(with: request, delegate: first)
        #expect(await eventually { server.requests.count == 2 })
        async let second = session.data(for: request)
        #expect(await eventually { cache.statistics.joined == 1 })
        task.cancel()
        await first.end.pass()
        #expect(first.error == .cancelled)
        gate.open()
        #expect(try await second.text == "body")
    }

    /// A cancelled waiter leaves at once, and a waiter's time limit holds while it waits.
    @Test func aWaiterMayLeave() async throws {
        let gate = TestGate()
        let server = try Self.gatedServer(gate, ["Cache-Control: max-age=60"])
        let time = Lock(Date())
        let cache = HTTPCache(now: { time.withLock { $0 } })
        let session = Self.session(cache)
        let request = HTTPRequest(url: server.url("/x"))
        _ = try await session.data(for: request)
        time.withLock { $0 += 60 }
        async let first = session.data(for: request)
        #expect(await eventually { server.requests.count == 2 })
        let waiter = RecordingDelegate()
        let task = session.task(with: request, delegate: waiter)
        #expect(await eventually { cache.statistics.joined == 1 })
        task.cancel()
        await waiter.end.pass()
        #expect(waiter.error == .cancelled)
        var hasty = request
        hasty.timeouts = HTTPTimeouts(total: .milliseconds(20))
        let limited = hasty
        let error = await #expect(throws: HTTPError.self) { try await session.data(for: limited) }
        #expect(error?.code == "timed-out")
        gate.open()
        #expect(try await first.text == "body" && server.requests.count == 2)
    }

    /// A stored body waits for its reader, and goes on where he wants it to.
    @Test func aStoredBodyCanBeHeldBack() async throws {
        let body = TestBytes.pattern(count: 1_000_000)
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Cache-Control: max-age=60"], body: body)
        }
        let session = Self.session(HTTPCache())
        let request = HTTPRequest(url: server.url())
        _ = try await session.data(for: request)
        var received = Data()
        let stream = try await session.stream(for: request)
        for try await chunk in stream.body { received.append(chunk) }
        #expect(received == body && stream.task.metrics?.cache == .hit)
        let paused = RecordingDelegate(flow: .pause)
        let task = session.task(with: request, delegate: paused)
        await paused.firstChunk.pass()
        #expect(await eventually { task.state == .paused })
        #expect(paused.current.chunkCount == 1)
        task.resume()
        #expect(await eventually { paused.current.chunkCount == 2 })
        task.cancel()
        await paused.end.pass()
        #expect(paused.error == .cancelled && server.requests.count == 1)
    }
}
