import Foundation
import MagpieHTTP
import MagpieTestSupport
import MagpieURLSession
import Testing

/// What every transport has to do, asked of each through the same seam.
@Suite(.timeLimit(.minutes(1)))
struct TransportTests {
    enum Kind: CaseIterable {
        case curl
        case urlSession

        func makeTransport() -> any HTTPTransport {
            switch self {
            case .curl: CurlTransport()
            case .urlSession: URLSessionTransport()
            }
        }

        var session: HTTPSession { HTTPSession(transport: makeTransport()) }
    }

    @Test(arguments: Kind.allCases)
    func loads(kind: Kind) async throws {
        let server = try FaultServer { connection, request in
            try connection.respond("201 Created", fields: ["X-Method: \(request.method)"], body: request.body)
        }
        let body = TestBytes.pattern(count: 200_000)
        let request = HTTPRequest(
            method: .post,
            url: server.url("/a?b=c"),
            headerFields: [.contentType: "x/y"],
            body: .bytes(body)
        )
        let answer = try await kind.session.data(for: request)
        #expect(answer.status == 201)
        #expect(answer.body == body)
        #expect(answer.headerFields[try #require(HTTPField.Name("x-method"))] == "POST")
        #expect(answer.metrics.bytesReceived == 200_000)
        #expect(server.requests.first?.target == "/a?b=c")
        #expect(server.requests.first?.field("content-type") == "x/y")
    }

    @Test(arguments: Kind.allCases)
    func followsRedirectsInTheSession(kind: Kind) async throws {
        let server = try FaultServer { connection, request in
            if request.target == "/" {
                try connection.respond("302 Found", fields: ["Location: /end"], text: "moved")
            } else {
                try connection.respond(text: "end")
            }
        }
        let answer = try await kind.session.data(for: HTTPRequest(url: server.url()))
        #expect(answer.text == "end")
        #expect(answer.metrics.redirectCount == 1)
    }

    @Test(arguments: Kind.allCases)
    func cancels(kind: Kind) async throws {
        let reached = TestGate()
        let server = try FaultServer { connection, _ in
            reached.open()
            _ = connection.waitForPeerToClose()
        }
        let delegate = RecordingDelegate()
        let task = kind.session.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        await reached.pass()
        task.cancel()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test(arguments: Kind.allCases)
    func streamsWithPauses(kind: Kind) async throws {
        let server = try FaultServer { connection, _ in try connection.respond(body: Data(count: 3_000_000)) }
        let stream = try await kind.session.stream(for: HTTPRequest(url: server.url()))
        var received = 0
        for try await chunk in stream.body { received += chunk.count }
        #expect(received == 3_000_000)
    }

    @Test(arguments: Kind.allCases)
    func pausesAtEachChunk(kind: Kind) async throws {
        let server = try FaultServer { connection, _ in try connection.respond(body: Data(count: 200_000)) }
        let delegate = RecordingDelegate(flow: .pause)
        let task = kind.session.task(with: HTTPRequest(url: server.url()), delegate: delegate)
        #expect(
            await eventually {
                task.resume()
                return delegate.end.isOpen
            }
        )
        #expect(delegate.current.received == 200_000)
    }

    @Test(arguments: Kind.allCases)
    func failsWithTypedErrors(kind: Kind) async throws {
        let port = try DeafListener.refusingPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        let error = await #expect(throws: HTTPError.self) { try await kind.session.data(for: HTTPRequest(url: url)) }
        #expect(["connection-refused", "cannot-connect"].contains(error?.code))
        let gate = TestGate()
        defer { gate.open() }
        let silent = try FaultServer { _, _ in gate.block() }
        var request = HTTPRequest(url: silent.url())
        request.timeouts = .init(total: .milliseconds(200))
        await #expect(throws: HTTPError.timedOut(stage: .total, after: .milliseconds(200))) {
            try await kind.session.data(for: request)
        }
    }

    @Test(arguments: Kind.allCases)
    func endsWhenShutDown(kind: Kind) async throws {
        let gate = TestGate()
        defer { gate.open() }
        let server = try FaultServer { _, _ in gate.block() }
        let transport = kind.makeTransport()
        let delegate = RecordingDelegate()
        _ = HTTPSession(transport: transport).task(with: HTTPRequest(url: server.url()), delegate: delegate)
        #expect(await eventually { server.requests.count == 1 })
        transport.shutdown()
        await delegate.end.pass()
        #expect(delegate.error == .cancelled)
    }

    @Test func urlSessionRefusesWhatItCannotKeep() async throws {
        let session = HTTPSession(
            configuration: .init(trust: .init(pinnedPublicKeys: ["sha256//x"])),
            transport: URLSessionTransport()
        )
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let error = await #expect(throws: HTTPError.self) { try await session.data(for: HTTPRequest(url: url)) }
        #expect(error?.code == "transport")
    }
}
