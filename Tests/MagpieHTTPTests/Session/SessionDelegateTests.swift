import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The decisions that a session's delegate takes.
@Suite(.timeLimit(.minutes(1)))
struct SessionDelegateTests {
    /// Decides as its closures say.
    ///
    /// `@unchecked Sendable`: the closures are set before it is shared.
    private final class Decider: HTTPSessionDelegate, @unchecked Sendable {
        var redirect: @Sendable (HTTPRequest) async -> HTTPRequest? = { $0 }
        var challenge: @Sendable (HTTPChallenge) async -> HTTPChallengeDisposition = { _ in .performDefaultHandling }
        var body: @Sendable () async -> HTTPRequestBody? = { nil }
        var response: @Sendable (HTTPResponse) -> HTTPResponseDisposition = { _ in .allow }
        var cache: @Sendable (HTTPResponse) -> Bool = { _ in true }
        let told = Recorder<String>()

        init(_ change: (Decider) -> Void = { _ in }) { change(self) }

        func willFollowRedirect(to request: HTTPRequest, after _: HTTPResponse, of _: HTTPTask) async -> HTTPRequest? {
            told.record("redirect \(request.url.path())")
            return await redirect(request)
        }

        func didReceive(_ challenge: HTTPChallenge, of _: HTTPTask) async -> HTTPChallengeDisposition {
            told.record("challenge \(challenge.scheme) \(challenge.realm ?? "") \(challenge.previousFailureCount)")
            return await self.challenge(challenge)
        }

        func needsNewBody(for _: HTTPTask) async -> HTTPRequestBody? { await body() }
        func didReceive(_ response: HTTPResponse, of _: HTTPTask) -> HTTPResponseDisposition { self.response(response) }
        func willCache(_ response: HTTPResponse, to _: HTTPRequest) -> Bool { cache(response) }
        func didFinish(_: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>) { told.record("finish") }
        func didBecomeInvalid(_: HTTPSession) { told.record("invalid") }
    }

    /// Sends `/STATUS/TARGET` there, and answers anything else with its method, target and body.
    private func redirector() throws -> FaultServer {
        try FaultServer { connection, request in
            let parts = request.target.split(separator: "/")
            if parts.count == 2, let code = Int(parts[0]) {
                try connection.respond("\(code) Moved", fields: ["Location: /\(parts[1])"], body: Data("moved".utf8))
            } else {
                let body = String(decoding: request.body, as: UTF8.self)
                try connection.respond(text: "\(request.method) \(request.target) \(body)")
            }
        }
    }

    private func session(_ delegate: Decider) -> HTTPSession { HTTPSession(configuration: .init(delegate: delegate)) }

    @Test("AFNetworking 20: a 302 reaches the redirect hook, and the load succeeds")
    func redirectsAreAskedFor() async throws {
        let server = try redirector()
        let delegate = Decider()
        let session = session(delegate)
        let answer = try await session.data(for: HTTPRequest(url: server.url("/302/end")))
        await session.waitUntilIdle()
        #expect(answer.text == "GET /end ")
        #expect(answer.metrics.redirectCount == 1)
        await session.invalidateAndWait(cancellingTasks: false)
        #expect(delegate.told.elements == ["redirect /end", "finish", "invalid"])
    }

    /// The refusal comes before there is any way to the server, and is never taken for its answer.
    @Test(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"))
    func aTunnelsChallengeIsAskedFor() async throws {
        let server = try await NginxServer.shared()
        try Data("behind the door".utf8).write(to: server.root.appending(path: "door.txt"))
        let proxy = try TestProxy(credential: "Basic dTpw")
        defer { proxy.stop() }
        let answers = [HTTPCredential(user: "u", password: "wrong"), HTTPCredential(user: "u", password: "p")]
        let delegate = Decider {
            $0.challenge = { $0.isProxy ? .useCredential(answers[$0.previousFailureCount]) : .performDefaultHandling }
        }
        var configuration = HTTPSession.Configuration(delegate: delegate)
        configuration.trust = .init(caFile: server.caFile)
        configuration.connection.proxy = .server(.init(host: "127.0.0.1", port: proxy.port))
        let session = HTTPSession(configuration: configuration)
        let url = server.url("/door.txt", through: .secure)
        #expect(try await session.data(for: HTTPRequest(url: url)).text == "behind the door")
        #expect(delegate.told.elements.prefix(2) == ["challenge basic door 0", "challenge basic door 1"])
        #expect(proxy.heads.count == 3 && proxy.targets == ["localhost:\(url.port ?? 0)"])
    }

    @Test func whatIsCachedIsAskedFor() async throws {
        let server = try FaultServer { connection, _ in
            try connection.respond(fields: ["Cache-Control: max-age=60"], body: Data("fresh".utf8))
        }
        for isWanted in [true, false] {
            let delegate = Decider { $0.cache = { isWanted && $0.status == .ok } }
            let session = HTTPSession(configuration: .init(delegate: delegate, cache: HTTPCache()))
            for _ in 0..<2 { _ = try await session.data(for: HTTPRequest(url: server.url())) }
        }
        #expect(server.requests.count == 3)
    }

    @Test func aRefusedRedirectIsTheAnswer() async throws {
        let server = try redirector()
        let answer = try await session(Decider { $0.redirect = { _ in nil } })
            .data(for: HTTPRequest(url: server.url("/302/end")))
        #expect(answer.status == 302)
        #expect(answer.text == "moved")
        #expect(server.requests.count == 1)
    }

    /// The body of the held answer is longer than what is kept, so that its transfer pauses and goes on.
    @Test func aLongRefusedRedirectIsHandedOverWhole() async throws {
        let data = TestBytes.pattern(count: 3 << 20)
        let server = try FaultServer { connection, _ in
            try connection.respond("302 Found", fields: ["Location: /end"], body: data)
        }
        let asked = TestGate()
        let delegate = Decider {
            $0.redirect = { _ in
                asked.open()
                try? await Task.sleep(for: .milliseconds(50))
                return nil
            }
        }
        let answer = try await session(delegate).data(for: HTTPRequest(url: server.url()))
        #expect(asked.isOpen)
        #expect(answer.body == data)
    }

    @Test func aRedirectCanBeChanged() async throws {
        let server = try redirector()
        let other = server.url("/other")
        let delegate = Decider {
            $0.redirect = { request in
                var request = request
                request.url = other
                return request
            }
        }
        #expect(try await session(delegate).data(for: HTTPRequest(url: server.url("/302/end"))).text == "GET /other ")
    }

    @Test func aTaskCanBeCancelledWhileItsDelegateThinks() async throws {
        let server = try redirector()
        let (asked, gate) = (TestGate(), TestGate())
        let delegate = Decider {
            $0.redirect = { request in
                asked.open()
                await gate.pass()
                return request
            }
        }
        let session = session(delegate)
        let receiver = RecordingDelegate()
        let task = session.task(with: HTTPRequest(url: server.url("/302/end")), delegate: receiver)
        await asked.pass()
        task.cancel()
        await receiver.end.pass()
        gate.open()
        await session.waitUntilIdle()
        #expect(receiver.error == .cancelled)
        #expect(receiver.current.results.count == 1)
        #expect(server.requests.count == 1)
    }

    @Test func anAnswerCanBeRefused() async throws {
        let server = try redirector()
        let delegate = Decider { $0.response = { _ in .cancel } }
        await #expect(throws: HTTPError.cancelled) {
            try await session(delegate).data(for: HTTPRequest(url: server.url("/x")))
        }
    }

    /// A body that can be read once.
    private final class OnceOnly: HTTPBodySource {
        let count: Int64? = 4
        let isRepeatable = false
        func makeReader() throws(HTTPError) -> any HTTPBodyReader { throw .unreadableBody(reason: "read before") }
    }

    @Test func bodiesThatCannotBeSentAgainAreAskedFor() async throws {
        let sent = Recorder<HTTPRequest>()
        let transport = ScriptedTransport { request, exchange in
            sent.record(request)
            let isFirst = sent.elements.count == 1
            let fields: HTTPFields = isFirst ? [.location: "/end"] : [:]
            let head = HTTPResponse(status: .init(code: isFirst ? 307 : 200), headerFields: fields, url: request.url)
            exchange.exchangeDidReceive(head)
            exchange.exchangeDidFinish(.success(HTTPTaskMetrics()))
        }
        let url = try #require(URL(string: "http://host/"))
        let request = HTTPRequest(method: .post, url: url, body: .source(OnceOnly()))
        let delegate = Decider { $0.body = { .bytes(Data("anew".utf8)) } }
        let asking = HTTPSession(configuration: .init(delegate: delegate), transport: transport)
        #expect(try await asking.data(for: request).status == 200)
        #expect(sent.elements.last?.body?.data == Data("anew".utf8))

        // Without anyone to ask, the redirect is the answer.
        let alone = Recorder<HTTPRequest>()
        let redirecting = ScriptedTransport { request, exchange in
            alone.record(request)
            exchange.exchangeDidReceive(
                HTTPResponse(status: .init(code: 307), headerFields: [.location: "/end"], url: request.url)
            )
            exchange.exchangeDidFinish(.success(HTTPTaskMetrics()))
        }
        #expect(try await HTTPSession(transport: redirecting).data(for: request).status == 307)
        #expect(alone.elements.count == 1)
    }

    @Test("AFNetworking 27: the challenge handler gives a credential for the realm, and the load succeeds")
    func challengesAreAskedFor() async throws {
        let credential = HTTPCredential(user: "ada", password: "secret")
        let server = try FaultServer { connection, request in
            if request.field("Authorization") == credential.authorization {
                try connection.respond(text: "welcome")
            } else {
                let field = "WWW-Authenticate: Basic realm=\"Fake Realm\""
                try connection.respond("401 Unauthorized", fields: [field], body: Data("who?".utf8))
            }
        }
        let delegate = Decider {
            $0.challenge = { $0.realm == "Fake Realm" ? .useCredential(credential) : .performDefaultHandling }
        }
        let answer = try await session(delegate).data(for: HTTPRequest(url: server.url()))
        #expect(answer.text == "welcome")
        #expect(server.requests.count == 2)

        let wrong = Decider {
            $0.challenge = {
                $0.previousFailureCount < 2
                    ? .useCredential(HTTPCredential(user: "ada", password: "guess"))
                    : .cancel(.transport(code: 7, message: "no"))
            }
        }
        await #expect(throws: HTTPError.transport(code: 7, message: "no")) {
            try await session(wrong).data(for: HTTPRequest(url: server.url()))
        }
        #expect(await wrong.told.elements(4).map { String($0.suffix(1)) } == ["0", "1", "2", "h"])

        let silent = Decider()
        #expect(try await session(silent).data(for: HTTPRequest(url: server.url())).text == "who?")
    }

    /// The place of the first host is free once the task has gone on to another.
    @Test func aRedirectedTaskTakesAPlaceAtItsNewHost() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let slow = try FaultServer { connection, _ in
            gate.block()
            try connection.respond(text: "slow")
        }
        let first = try FaultServer { connection, request in
            guard request.target == "/away" else { return try connection.respond(text: "here") }
            try connection.respond("302 Found", fields: ["Location: \(slow.url("/x").absoluteString)"], body: Data())
        }
        let session = HTTPSession(configuration: .init(maximumConcurrentTasksPerHost: 1))
        let away = RecordingDelegate()
        let task = session.task(with: HTTPRequest(url: first.url("/away")), delegate: away)
        #expect(await eventually { slow.requests.count == 1 })
        #expect(try await session.data(for: HTTPRequest(url: first.url("/"))).text == "here")
        // And the new host's place is taken: a second task waits for it.
        session.data(for: HTTPRequest(url: slow.url("/y")), completion: { _ in })
        #expect(session.waitingTaskCount == 1)
        #expect(task.state == .running)
        gate.open()
        await session.waitUntilIdle()
        #expect(slow.requests.map(\.target) == ["/x", "/y"])
    }
}
