import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Tokens that run out: one refresh for all who need it.
@Suite(.timeLimit(.minutes(1)))
struct TokenTests {
    /// Gives out numbered tokens.
    private final class Store: HTTPTokenStore {
        let refreshes = Recorder<String>()
        private let current = Lock(0)
        private let gate: TestGate?
        private let works: Bool

        init(gate: TestGate? = nil, works: Bool = true) {
            self.gate = gate
            self.works = works
        }

        func token() async throws(HTTPError) -> String? { "t\(current.withLock { $0 })" }

        func refresh(_ stale: String) async throws(HTTPError) -> String {
            refreshes.record(stale)
            await gate?.pass()
            guard works else { throw .connectionLost(reason: "no token") }
            return current.withLock { current in
                current += 1
                return "t\(current)"
            }
        }
    }

    /// Accepts one token alone.
    private func server(accepting token: String, onRefusal: @escaping @Sendable (Int) -> Void = { _ in }) throws
        -> FaultServer
    {
        let refusals = Lock(0)
        return try FaultServer { connection, request in
            if request.field("Authorization") == "Bearer \(token)" { return try connection.respond(text: "in") }
            onRefusal(
                refusals.withLock { count in
                    count += 1
                    return count
                }
            )
            try connection.respond("401 Unauthorized", fields: ["WWW-Authenticate: Bearer"], body: Data("out".utf8))
        }
    }

    @Test func aHundredRefusalsMakeOneRefresh() async throws {
        let gate = TestGate()
        // Refreshing takes until all have been refused.
        let server = try server(accepting: "t1") { if $0 == 100 { gate.open() } }
        let store = Store(gate: gate)
        var configuration = HTTPSession.Configuration(
            maximumConcurrentTasks: 100,
            maximumConcurrentTasksPerHost: 100,
            interceptors: [.authentication(store)]
        )
        configuration.timeouts.total = .seconds(20)
        let session = HTTPSession(baseURL: server.url(), configuration: configuration)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask { try await session.data(for: HTTPRequest(url: server.url("/\(number)"))).text }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "in", count: 100))
        #expect(store.refreshes.elements == ["t0"])
        #expect(server.requests.count == 200)
    }

    /// Who waits for a refresh holds no place: the refresh may use the same host.
    @Test func aRefusalThatComesLateTriesAgainWithoutARefresh() async throws {
        let keeper = TokenKeeper(store: Store())
        let store = keeper.store
        func request(with token: String) -> HTTPRequest {
            var request = HTTPRequest(url: URL(filePath: "/"))
            store.authorize(&request, with: token)
            return request
        }
        _ = try await keeper.token()
        #expect(await keeper.hasReplacement(after: request(with: "t0")))
        #expect(await keeper.hasReplacement(after: request(with: "t0")))
        #expect((store as? Store)?.refreshes.elements == ["t0"])
        #expect(await !keeper.hasReplacement(after: request(with: "never seen")))
        #expect(await !keeper.hasReplacement(after: HTTPRequest(url: URL(filePath: "/"))))
    }

    @Test func aServerThatRefusesAllTokensIsLeftAloneSoon() async throws {
        let server = try server(accepting: "none")
        let store = Store()
        let now = Lock(ContinuousClock.now)
        let interceptor = AuthenticationInterceptor(store) { now.withLock { $0 } }
        let session = HTTPSession(configuration: .init(interceptors: [interceptor]))
        #expect(try await session.data(for: HTTPRequest(url: server.url())).text == "out")
        #expect(store.refreshes.elements.count == 5)
        #expect(try await session.data(for: HTTPRequest(url: server.url())).text == "out")
        #expect(store.refreshes.elements.count == 5)
        now.withLock { $0 += .seconds(31) }
        #expect(try await session.data(for: HTTPRequest(url: server.url())).text == "out")
        #expect(store.refreshes.elements.count == 10)
    }

    @Test func aFailedRefreshHandsTheRefusalOver() async throws {
        let server = try server(accepting: "none")
        let store = Store(works: false)
        let session = HTTPSession(configuration: .init(interceptors: [.authentication(store)]))
        #expect(try await session.data(for: HTTPRequest(url: server.url())).status == 401)
        #expect(store.refreshes.elements == ["t0"])
    }

    /// The token belongs to the base URL.
    @Test func otherServersGetNoToken() async throws {
        let (own, other) = (try server(accepting: "t0"), try server(accepting: "none"))
        let session = HTTPSession(
            baseURL: own.url(),
            configuration: .init(interceptors: [.authentication(Store())])
        )
        #expect(try await session.data(for: HTTPRequest(url: own.url())).text == "in")
        #expect(try await session.data(for: HTTPRequest(url: other.url())).text == "out")
        #expect(other.requests.map { $0.field("Authorization") } == [nil])
    }

    @Test func aTaskThatWaitsForATokenCanBeCancelled() async throws {
        let gate = TestGate()
        defer { gate.open() }
        let server = try server(accepting: "t1")
        let store = Store(gate: gate)
        let session = HTTPSession(configuration: .init(interceptors: [.authentication(store)]))
        let receiver = RecordingDelegate()
        let task = session.task(with: HTTPRequest(url: server.url()), delegate: receiver)
        _ = await store.refreshes.elements(1)
        task.cancel()
        await receiver.end.pass()
        #expect(receiver.error == .cancelled)
        await session.waitUntilIdle()
    }

    /// Whoever set a limit is not kept waiting by those who are asked.
    @Test(arguments: ["refresh", "adapt", "redirect"])
    func theLimitOfATaskHoldsWhileOthersDecide(where place: String) async throws {
        final class Slow: HTTPInterceptor, HTTPSessionDelegate {
            let gate = TestGate()
            let place: String
            init(_ place: String) { self.place = place }

            func adapt(_ request: HTTPRequest, for session: HTTPSession) async throws(HTTPError) -> HTTPRequest {
                if place == "adapt" { await gate.pass() }
                return request
            }

            func willFollowRedirect(
                to proposal: HTTPRequest,
                after response: HTTPResponse,
                of task: HTTPTask
            ) async -> HTTPRequest? {
                await gate.pass()
                return proposal
            }
        }
        let server = try FaultServer { connection, _ in
            guard place == "redirect" else { return try connection.respond("401 Unauthorized", text: "out") }
            try connection.respond("302 Found", fields: ["Location: /"], text: "")
        }
        let slow = Slow(place)
        var configuration = HTTPSession.Configuration()
        switch place {
        case "refresh": configuration.interceptors = [.authentication(Store(gate: slow.gate))]
        case "adapt": configuration.interceptors = [slow]
        default: configuration.delegate = slow
        }
        configuration.timeouts.total = .milliseconds(300)
        let session = HTTPSession(configuration: configuration)
        await #expect(throws: HTTPError.timedOut(stage: .total, after: .milliseconds(300))) {
            try await session.data(for: HTTPRequest(url: server.url("/")))
        }
        slow.gate.open()
    }

    /// What an interceptor takes before the first try is not given to the server once more.
    @Test func theFirstAdaptationCounts() async throws {
        struct Ponderer: HTTPInterceptor {
            func adapt(_ request: HTTPRequest, for _: HTTPSession) async throws(HTTPError) -> HTTPRequest {
                try? await Task.sleep(for: .milliseconds(50))
                return request
            }
        }
        let transport = ScriptedTransport { request, delegate in
            delegate.exchangeDidReceive(HTTPResponse(status: .ok, headerFields: [:], url: request.url))
            delegate.exchangeDidFinish(.success(HTTPTaskMetrics()))
        }
        var configuration = HTTPSession.Configuration(interceptors: [Ponderer()])
        configuration.timeouts.total = .seconds(60)
        _ = try await HTTPSession(configuration: configuration, transport: transport).get("http://host/")
        let given = try #require(transport.settings.elements.first?.timeouts.total)
        #expect(given <= .seconds(60) - .milliseconds(50))
    }
}
