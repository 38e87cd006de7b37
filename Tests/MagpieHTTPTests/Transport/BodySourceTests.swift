import Foundation
import MagpieHTTP
import MagpieTestSupport
import Synchronization
import Testing

/// Bodies that are made while they are sent.
@Suite(.timeLimit(.minutes(1)))
struct BodySourceTests {
    private static let bytes = TestBytes.pattern(count: 300_000)

    private func echo() throws -> FaultServer {
        try FaultServer { connection, request in try connection.respond(body: request.body) }
    }

    private func post(_ source: ScriptedBody, to server: FaultServer, path: String = "/") -> HTTPRequest {
        HTTPRequest(method: .post, url: server.url(path), body: .source(source))
    }

    private func error(of source: ScriptedBody) async throws -> HTTPError? {
        let server = try echo()
        do {
            _ = try await HTTPSession().data(for: post(source, to: server))
            return nil
        } catch { return error }
    }

    @Test func aKnownLengthIsAnnouncedAndAnUnknownOneIsSentInChunks() async throws {
        let server = try echo()
        let session = HTTPSession()
        for count in [Int64(Self.bytes.count), nil] {
            let source = ScriptedBody(
                count: count,
                [.bytes(Self.bytes.prefix(70_000)), .bytes(Self.bytes.dropFirst(70_000))]
            )
            let answer = try await session.data(for: post(source, to: server))
            #expect(answer.body == Self.bytes)
            #expect(source.closeCount == 1)
            #expect(server.requests.last?.field("Content-Length") == count.map { "\($0)" })
            #expect(server.requests.last?.field("Transfer-Encoding") == (count == nil ? "chunked" : nil))
        }
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: [0, nil] as [Int64?])
    func aSourceMayBeEmpty(count: Int64?) async throws {
        let server = try echo()
        let source = ScriptedBody(count: count, [])
        #expect(try await HTTPSession().data(for: post(source, to: server)).body.isEmpty)
        #expect(source.closeCount == 1)
    }

    @Test(arguments: [Int64(Self.bytes.count), nil])
    func aSourceThatHasNothingIsWaitedFor(count: Int64?) async throws {
        let server = try echo()
        let steps = stride(from: 0, to: Self.bytes.count, by: 100_000)
            .flatMap { [ScriptedBody.Step.wait, .bytes(Self.bytes[$0..<min($0 + 100_000, Self.bytes.count)])] }
        let source = ScriptedBody(count: count, steps + [.wait])
        // Waiting for the source is no idleness of the server.
        let session = HTTPSession(configuration: .init(timeouts: .init(idle: .milliseconds(50))))
        async let answer = session.data(for: post(source, to: server))
        for _ in 0..<(count == nil ? 4 : 3) {
            #expect(await eventually { source.isWaiting })
            try await Task.sleep(for: .milliseconds(30))
            source.proceed()
        }
        #expect(try await answer.body == Self.bytes)
        #expect(source.closeCount == 1)
    }

    /// A pause of the receiver holds back what comes in, and nothing of what goes out.
    @Test func theSourceGoesOnWhileTheReceiverIsPaused() async throws {
        let server = try FaultServer(readsBodies: false) { connection, _ in
            try connection.respond(fields: ["Content-Length: 200000"])
            try connection.send(Data(count: 100_000))
            guard connection.readBytes(4) == Data("body".utf8) else { throw FaultConnection.Closed() }
            try connection.send(Data(count: 100_000))
        }
        let source = ScriptedBody(count: 4, [.wait, .bytes(Data("bo".utf8)), .wait, .bytes(Data("dy".utf8))])
        let delegate = RecordingDelegate(flow: .pause)
        let task = HTTPSession().task(with: post(source, to: server), delegate: delegate)
        await delegate.firstChunk.pass()
        for _ in 0..<2 {
            #expect(await eventually { source.isWaiting })
            source.proceed()
        }
        #expect(
            await eventually {
                task.resume()
                return delegate.end.isOpen
            }
        )
        #expect(delegate.current.received == 200_000)
        #expect(delegate.error == nil)
    }

    @Test func aSourceThatBreaksItsPromiseFails() async throws {
        for steps in [
            [ScriptedBody.Step.bytes(Data(count: 9))], [.bytes(Data(count: 11))],
            [.bytes(Data(count: 10)), .bytes(Data(count: 1))],
            [],
        ] {
            let source = ScriptedBody(count: 10, steps)
            #expect(try await error(of: source)?.code == "unreadable-body")
            #expect(source.closeCount == 1)
        }
    }

    @Test func theErrorOfTheSourceIsThatOfTheRequest() async throws {
        let reason = HTTPError.unreadableBody(reason: "the file is gone")
        #expect(try await error(of: ScriptedBody([.bytes(Data(count: 10)), .fail(reason)])) == reason)
        let spent = ScriptedBody(isRepeatable: false, [.bytes(Data(count: 10))])
        #expect(try await error(of: spent) == nil)
        #expect(try await error(of: spent)?.code == "unreadable-body")
    }

    /// A connection that ends before any answer, and was used before, is taken for one that was dead already.
    @Test(arguments: [true, false])
    func theBodyStartsAgainOnANewConnection(isRepeatable: Bool) async throws {
        let attempts = Atomic(0)
        let server = try FaultServer { connection, request in
            if request.target == "/body", attempts.add(1, ordering: .relaxed).newValue == 1 {
                throw FaultConnection.Closed()
            }
            try connection.respond(body: request.body)
        }
        let session = HTTPSession()
        _ = try await session.data(for: HTTPRequest(url: server.url("/first")))
        let source = ScriptedBody(count: Int64(Self.bytes.count), isRepeatable: isRepeatable, [.bytes(Self.bytes)])
        let request = post(source, to: server, path: "/body")
        if isRepeatable {
            #expect(try await session.data(for: request).body == Self.bytes)
            #expect(source.readerCount == 2)
        } else {
            await #expect(throws: HTTPError.unreadableBody(reason: "it was read before")) {
                try await session.data(for: request)
            }
        }
        #expect(source.closeCount == source.readerCount)
    }

    /// A server that refuses early stops the upload; what the source waits for does not come any more.
    @Test func aRefusalEndsTheUpload() async throws {
        let server = try FaultServer(readsBodies: false) { connection, _ in
            try connection.respond("413 Content Too Large", fields: ["Connection: close"], text: "too large")
            throw FaultConnection.Closed()
        }
        let source = ScriptedBody(count: 10, [.bytes(Data(count: 5)), .wait])
        let answer = try await HTTPSession().data(for: post(source, to: server))
        #expect(answer.status == 413)
        #expect(answer.text == "too large")
        #expect(source.closeCount == 1)
    }

    @Test func cancellingLetsTheSourceGo() async throws {
        let server = try echo()
        let source = ScriptedBody([.bytes(Data(count: 5)), .wait])
        let delegate = RecordingDelegate()
        let task = HTTPSession().task(with: post(source, to: server), delegate: delegate)
        #expect(await eventually { source.isWaiting })
        task.cancel()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
        #expect(source.closeCount == 1)
        source.proceed()
    }

    @Test func whatWentOutIsReported() async throws {
        let server = try echo()
        let transport = CurlTransport()
        defer { transport.shutdown() }
        for body in [
            HTTPRequestBody.bytes(Self.bytes), .source(ScriptedBody([.bytes(Self.bytes)])),
            .source(ScriptedBody(count: 300_000, [.bytes(Self.bytes)])),
        ] {
            let listener = ExchangeListener()
            let request = HTTPRequest(method: .put, url: server.url(), body: body)
            _ = transport.start(request, settings: .init(), delegate: listener)
            await listener.end.pass()
            let totals = listener.totals
            #expect(totals.last == 300_000)
            #expect(totals.count <= 5)
            #expect(totals == totals.sorted())
        }
    }
}
