import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Bodies read as they come, and servers held back while they are not read.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    @Test func chunksArriveInOrder() async throws {
        let data = TestBytes.pattern(count: 3_000_000)
        let server = try FaultServer { connection, _ in try connection.respond(body: data) }
        let stream = try await HTTPSession().stream(for: HTTPRequest(url: server.url()))
        #expect(stream.status == .ok)
        var received = Data()
        for try await chunk in stream.body { received.append(chunk) }
        #expect(received == data)
        #expect(stream.task.progress == HTTPProgress(completed: 3_000_000, expected: 3_000_000))
        #expect(stream.task.metrics?.bytesReceived == 3_000_000)
    }

    /// 100 MB for a reader that does not read: the server gets rid of what the buffers hold and no more.
    @Test func aReaderThatSleepsHoldsTheServerBack() async throws {
        let total = 100 << 20
        let sent = Lock(0)
        let server = try FaultServer { connection, _ in
            connection.setSendBuffer(bytes: 64 * 1024)
            try connection.respond(fields: ["Content-Length: \(total)"])
            let piece = Data(count: 1 << 20)
            for _ in 0..<(total / piece.count) {
                try connection.send(piece)
                sent.withLock { $0 += piece.count }
            }
        }
        let stream = try await HTTPSession().stream(for: HTTPRequest(url: server.url()))
        #expect(await eventually { stream.task.state == .paused })
        // The kernel's buffers of a loopback connection hold some megabytes.
        #expect(sent.withLock { $0 } < 20 << 20)
        #expect(stream.task.progress.completed < 1 << 20)
        var received = 0
        for try await chunk in stream.body { received += chunk.count }
        #expect(received == total)
    }

    @Test func aPauseIsNoIdleness() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(body: Data(count: 2_000_000)) }
        let session = HTTPSession(configuration: .init(timeouts: .init(idle: .milliseconds(50))))
        let stream = try await session.stream(for: HTTPRequest(url: server.url()))
        #expect(await eventually { stream.task.state == .paused })
        try await Task.sleep(for: .milliseconds(200))
        #expect(stream.task.state == .paused)
        var received = 0
        for try await chunk in stream.body { received += chunk.count }
        #expect(received == 2_000_000)
    }

    @Test func releasingTheBodyCancels() async throws {
        let sawClose = TestGate()
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000"])
            try connection.send("some")
            if connection.waitForPeerToClose() { sawClose.open() }
        }
        let session = HTTPSession()
        do {
            let stream = try await session.stream(for: HTTPRequest(url: server.url()))
            for try await chunk in stream.body {
                #expect(chunk == Data("some".utf8))
                break
            }
        }
        await sawClose.pass()
        #expect(await eventually { session.runningTaskCount == 0 })
    }

    @Test func cancellingTheReaderCancels() async throws {
        let (firstRead, sawClose) = (TestGate(), TestGate())
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000"])
            try connection.send("some")
            if connection.waitForPeerToClose() { sawClose.open() }
        }
        let reader = Task {
            for try await _ in try await HTTPSession().stream(for: HTTPRequest(url: server.url())).body {
                firstRead.open()
            }
        }
        await firstRead.pass()
        reader.cancel()
        await #expect(throws: HTTPError.cancelled) { try await reader.value }
        await sawClose.pass()
    }

    @Test func aBodyThatBreaksOffGivesWhatCame() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Content-Length: 1000"])
            try connection.send("some")
            throw FaultConnection.Closed()
        }
        let stream = try await HTTPSession().stream(for: HTTPRequest(url: server.url()))
        var received = Data()
        do {
            for try await chunk in stream.body { received.append(chunk) }
            Issue.record("the body has no end")
        } catch {
            #expect(error == .bodyTooShort(received: 4, expected: 1000))
        }
        #expect(received == Data("some".utf8))
    }

    @Test func errorsBeforeTheHeadAreThrown() async throws {
        let port = try DeafListener.refusingPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        await #expect(throws: HTTPError.connectionRefused(host: "127.0.0.1", port: port)) {
            _ = try await HTTPSession().stream(for: HTTPRequest(url: url))
        }
    }

    @Test func aDelegatePausesAndResumes() async throws {
        let server = try FaultServer { connection, _ in try connection.respond(body: Data(count: 1_000_000)) }
        let delegate = RecordingDelegate(flow: .pause)
        let task = HTTPSession().task(with: HTTPRequest(url: server.url()), delegate: delegate)
        await delegate.firstChunk.pass()
        #expect(await eventually { task.state == .paused })
        let early = delegate.current.chunkCount
        #expect(early <= 2)
        while !delegate.end.isOpen {
            task.resume()
            await Task.yield()
        }
        #expect(delegate.current.received == 1_000_000)
        #expect(delegate.current.lateCallCount == 0)
    }

    /// What is held during a pause is looked at when it is resumed, and may be refused then.
    @Test func aHeldChunkThatFailsEndsTheTask() async throws {
        // 100 000 zeros, packed: they are unpacked piece by piece, and all but the first 16 kB wait.
        let packed = "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoA" + String(repeating: "A", count: 127) + "IBXA32VEdSghgEA"
        let body = try #require(Data(base64Encoded: packed))
        let gate = TestGate()
        defer { gate.open() }
        let server = try FaultServer { connection, _ in
            // The end does not come, so that nothing but the held bytes can end the task.
            try connection.respond(fields: ["Content-Encoding: gzip", "Content-Length: \(body.count + 1)"])
            try connection.send(body)
            gate.block()
        }
        let session = HTTPSession(configuration: .init(maximumResponseSize: 20_000))
        let delegate = RecordingDelegate(flow: .pause)
        let task = session.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        #expect(await eventually { task.state == .paused })
        task.resume()
        #expect(await eventually(within: 2) { delegate.end.isOpen })
        #expect(delegate.error == .responseTooLarge(limit: 20_000))
        task.cancel()
    }

    /// Over HTTP/2 a paused stream does not hold back the others of its connection.
    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func aPausedStreamLeavesTheOthersAlone() async throws {
        let server = try await NginxServer.shared()
        try Data(count: 40 << 20).write(to: server.root.appending(path: "paused.bin"))
        let session = HTTPSession(configuration: .init(trust: .init(caFile: server.caFile)))
        let stream = try await session.stream(for: HTTPRequest(url: server.url("/paused.bin", through: .secure)))
        #expect(await eventually { stream.task.state == .paused })
        let other = try await session.data(for: HTTPRequest(url: server.url("/paused.bin", through: .secure)))
        #expect(other.body.count == 40 << 20)
        #expect(other.metrics.isConnectionReused)
        #expect(stream.task.progress.completed < 1 << 20)
    }
}
