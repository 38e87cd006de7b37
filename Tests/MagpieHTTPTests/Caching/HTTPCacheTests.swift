import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a session with a cache answers, and what it asks the server.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCacheTests {
    private let time = ManualTime()
    private let cache: HTTPCache
    private let url: URL

    init() throws {
        let time = time
        cache = HTTPCache(now: { time.now })
        url = try #require(URL(string: "http://host/x"))
    }

    private final class ManualTime: Sendable {
        private let value = Lock(Date(timeIntervalSince1970: 1_750_000_000))
        var now: Date { value.withLock { $0 } }
        func advance(_ seconds: TimeInterval) { value.withLock { $0 += seconds } }
    }

    private func session(_ origin: OriginTransport) -> HTTPSession {
        HTTPSession(configuration: .init(cache: cache), transport: origin)
    }

    private func request(_ fields: HTTPFields = [:], _ policy: HTTPRequest.CachePolicy = .useProtocolCachePolicy)
        -> HTTPRequest
    {
        var request = HTTPRequest(url: url, headerFields: fields)
        request.cachePolicy = policy
        return request
    }

    /// Answers 304 where the request brings the tag that the body is.
    private static func tagged(_ tag: String, _ fields: HTTPFields) -> @Sendable (HTTPRequest) -> OriginTransport.Answer
    {
        { request in
            var fields = fields
            fields[.etag] = "\"\(tag)\""
            let isCurrent = request.headerFields[.ifNoneMatch] == "\"\(tag)\""
            return .success((isCurrent ? 304 : 200, fields, isCurrent ? "" : tag))
        }
    }

    @Test func oneUsersAnswerIsNotShownToAnother() async throws {
        let origin = OriginTransport { request in
            .success((200, [.cacheControl: "private, max-age=60"], request.headerFields[.authorization] ?? "nobody"))
        }
        let session = session(origin)
        for user in ["Bearer ada", "Bearer bob", nil] {
            let request = request(user.map { [.authorization: $0] } ?? [:])
            #expect(try await session.data(for: request).text == user ?? "nobody")
        }
        let again = try await HTTPSession(configuration: .init(cache: cache), transport: origin)
            .data(for: request([.authorization: "Bearer eve"]))
        #expect(again.text != "Bearer ada" && again.text != "Bearer bob")
    }

    @Test func theSameUserIsServedFromTheCache() async throws {
        let origin = OriginTransport { _ in .success((200, [.cacheControl: "max-age=60"], "body")) }
        let session = session(origin)
        let request = request([.authorization: "Bearer ada"])
        _ = try await session.data(for: request)
        #expect(try await session.data(for: request).metrics.cache == .hit)
    }

    @Test func servesWhatIsFreshAndTellsItsAge() async throws {
        let origin = OriginTransport { _ in .success((200, [.cacheControl: "max-age=60", .setCookie: "a=b"], "body")) }
        let session = session(origin)
        let first = try await session.data(for: request())
        #expect(first.metrics.cache == .none && first.headerFields[.setCookie] == "a=b")
        time.advance(59)
        let second = try await session.data(for: request())
        #expect(second.text == "body" && second.metrics.cache == .hit && second.headerFields[.age] == "59")
        // Told again, a cookie would undo what was set since.
        #expect(!second.headerFields.contains(.setCookie))
        time.advance(1)
        let third = try await session.data(for: request())
        #expect(third.metrics.cache == .none && origin.requests.count == 2)
        let statistics = cache.statistics
        #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.revalidations == 0)
    }

    @Test func validatesWhatIsStale() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        time.advance(60)
        let second = try await session.data(for: request())
        #expect(second.status == .ok && second.text == "one" && second.metrics.cache == .revalidated)
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == "\"one\"")
        time.advance(59)
        #expect(try await session.data(for: request()).metrics.cache == .hit)
        origin.answer(Self.tagged("two", [.cacheControl: "max-age=60"]))
        time.advance(1)
        let changed = try await session.data(for: request())
        #expect(changed.text == "two" && changed.metrics.cache == .none)
        #expect(try await session.data(for: request()).text == "two")
        #expect(origin.requests.count == 3)
    }

    /// peers.md, Alamofire 615: who asks with a condition of his own sees the real answer.
    @Test func leavesTheCallersConditionsToTheServer() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        let answer = try await session.data(for: request([.ifNoneMatch: "\"one\""]))
        #expect(answer.status == .notModified && answer.body.isEmpty && answer.metrics.cache == .none)
    }

    @Test func doesNotTakeAPartForTheWhole() async throws {
        let origin = OriginTransport { request in
            let isPart = request.headerFields.contains(.range)
            return .success((isPart ? 206 : 200, [.cacheControl: "max-age=60"], isPart ? "b" : "body"))
        }
        let session = session(origin)
        #expect(try await session.data(for: request([.range: "bytes=0-0"])).text == "b")
        #expect(try await session.data(for: request()).text == "body")
        #expect(try await session.data(for: request([.range: "bytes=0-0"])).text == "b")
        #expect(origin.requests.count == 3)
    }

    @Test func servesAHeadFromAStoredGet() async throws {
        let origin = OriginTransport { _ in .success((200, [.cacheControl: "max-age=60", .contentLength: "4"], "body"))
        }
        let session = session(origin)
        _ = try await session.data(for: request())
        var head = request()
        head.method = .head
        let answer = try await session.data(for: head)
        #expect(answer.body.isEmpty && answer.headerFields[.contentLength] == "4" && answer.metrics.cache == .hit)
        #expect(origin.requests.count == 1)
    }

    @Test func keepsVariantsApart() async throws {
        let origin = OriginTransport { request in
            let language = request.headerFields[.acceptLanguage] ?? "none"
            return .success((200, [.cacheControl: "max-age=60", .vary: "Accept-Language"], language))
        }
        let session = session(origin)
        for _ in 0..<2 {
            for language in ["de", "en"] {
                #expect(try await session.data(for: request([.acceptLanguage: language])).text == language)
            }
            #expect(try await session.data(for: request()).text == "none")
        }
        #expect(origin.requests.count == 3)
        await cache.remove(url)
        #expect(try await session.data(for: request([.acceptLanguage: "de"])).metrics.cache == .none)
        #expect(try await session.data(for: request([.acceptLanguage: "en"])).metrics.cache == .none)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
    func forgetsWhatAnUnsafeRequestMayHaveChanged(_ method: HTTPRequest.Method) async throws {
        let origin = OriginTransport { request in
            let isFailing = request.headerFields.contains(.expect)
            return .success((isFailing ? 500 : 200, [.cacheControl: "max-age=60", .location: "/x"], "body"))
        }
        let session = session(origin)
        _ = try await session.data(for: request())
        var change = HTTPRequest(method: method, url: try #require(URL(string: "http://host/list")))
        change.headerFields[.expect] = "x"
        _ = try await session.data(for: change)
        #expect(try await session.data(for: request()).metrics.cache == .hit)
        change.headerFields[.expect] = nil
        _ = try await session.data(for: change)
        #expect(try await session.data(for: request()).metrics.cache == .none)
    }

    @Test func coversAFailingServer() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60, stale-if-error=100"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        time.advance(100)
        origin.answer { _ in .success((503, [:], "sorry")) }
        let first = try await session.data(for: request())
        #expect(first.status == .ok && first.text == "one" && first.metrics.cache == .stale)
        origin.answer { _ in .failure(.connectionRefused(host: "host", port: 80)) }
        #expect(try await session.data(for: request()).metrics.cache == .stale)
        time.advance(61)
        await #expect(throws: HTTPError.connectionRefused(host: "host", port: 80)) {
            try await session.data(for: request())
        }
        // Whoever answers without a right to must not be covered.
        time.advance(-61)
        let untrusted = HTTPError.untrustedCertificate(host: "host", problem: .selfSigned)
        origin.answer { _ in .failure(untrusted) }
        await #expect(throws: untrusted) { try await session.data(for: request()) }
    }

    @Test func servesWhatIsStaleWhileItIsValidated() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60, stale-while-revalidate=100"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        time.advance(100)
        origin.answer(Self.tagged("two", [.cacheControl: "max-age=60"]))
        let stale = try await session.data(for: request())
        #expect(stale.text == "one" && stale.metrics.cache == .stale)
        let fresh = try await session.data(for: request())
        #expect(fresh.text == "two" && fresh.metrics.cache == .hit && origin.requests.count == 2)
    }

    @Test func followsThePolicies() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60"]))
        let session = session(origin)
        await #expect(throws: HTTPError.notInCache) {
            try await session.data(for: request([:], .returnCacheDataDontLoad))
        }
        #expect(try await session.data(for: request([.cacheControl: "only-if-cached"])).status.code == 504)
        let part = request([.range: "bytes=0-0"], .returnCacheDataDontLoad)
        await #expect(throws: HTTPError.notInCache) { try await session.data(for: part) }
        #expect(origin.requests.isEmpty)
        #expect(try await session.data(for: request([:], .returnCacheDataElseLoad)).metrics.cache == .none)
        time.advance(1000)
        #expect(try await session.data(for: request([:], .returnCacheDataElseLoad)).metrics.cache == .stale)
        #expect(try await session.data(for: request([:], .returnCacheDataDontLoad)).text == "one")
        #expect(origin.requests.count == 1)
        #expect(try await session.data(for: request([:], .reloadRevalidatingCacheData)).metrics.cache == .revalidated)
        #expect(try await session.data(for: request([:], .reloadIgnoringLocalCacheData)).metrics.cache == .none)
        #expect(origin.requests.last?.headerFields.contains(.ifNoneMatch) == false)
        #expect(try await session.data(for: request()).metrics.cache == .hit)
    }

    /// What changes the caller's state comes from a 304 as from any answer, and is not told again.
    @Test func passesOnWhatIsToldOnce() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=60", .setCookie: "a=1"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        time.advance(60)
        let security = "max-age=1000"
        origin.answer(
            Self.tagged("one", [.cacheControl: "max-age=60", .setCookie: "a=2", .strictTransportSecurity: security])
        )
        let validated = try await session.data(for: request())
        #expect(validated.metrics.cache == .revalidated && validated.headerFields[values: .setCookie] == ["a=2"])
        #expect(validated.headerFields[.strictTransportSecurity] == security)
        let hit = try await session.data(for: request())
        #expect(hit.metrics.cache == .hit && !hit.headerFields.contains(.setCookie))
        #expect(!hit.headerFields.contains(.strictTransportSecurity))
    }

    /// RFC 9111 §4.3.4: a 304 with another strong tag speaks of something else than what is stored.
    @Test func asksAgainWhereA304DoesNotFit() async throws {
        let origin = OriginTransport(Self.tagged("one", [.cacheControl: "max-age=0"]))
        let session = session(origin)
        _ = try await session.data(for: request())
        origin.answer { request in
            let isConditional = request.headerFields.contains(.ifNoneMatch)
            return .success((isConditional ? 304 : 200, [.etag: "\"two\""], isConditional ? "" : "two"))
        }
        let answer = try await session.data(for: request())
        #expect(answer.status == .ok && answer.text == "two" && origin.requests.count == 3)
    }

    @Test func storesNothingThatBrokeOff() async throws {
        let origin = ScriptedTransport { request, delegate in
            let fields: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "8"]
            delegate.exchangeDidReceive(HTTPResponse(status: 200, headerFields: fields, url: request.url))
            _ = delegate.exchangeDidReceive(Data(count: 4))
            delegate.exchangeDidFinish(.failure(.bodyTooShort(received: 4, expected: 8)))
        }
        let session = HTTPSession(configuration: .init(cache: cache), transport: origin)
        await #expect(throws: HTTPError.self) { try await session.data(for: request()) }
        #expect(await cache.usage() == HTTPCacheUsage())
    }

    @Test func asksTheCallerBeforeItStores() async throws {
        let picky = HTTPCache { _, response in response.headerFields[.contentType] == "image/png" }
        let origin = OriginTransport { request in
            .success((200, [.cacheControl: "max-age=60", .contentType: request.headerFields[.accept] ?? ""], "x"))
        }
        let session = HTTPSession(configuration: .init(cache: picky), transport: origin)
        _ = try await session.data(for: request([.accept: "text/plain"]))
        #expect(try await session.data(for: request([.accept: "image/png"])).metrics.cache == .none)
        #expect(try await session.data(for: request([.accept: "image/png"])).metrics.cache == .hit)
        await picky.removeAll()
        #expect(await picky.usage() == HTTPCacheUsage())
    }

    /// Redirects are stored like other answers, each by itself.
    @Test func followsAStoredRedirect() async throws {
        let origin = OriginTransport { request in
            request.url.path() == "/x"
                ? .success((301, [.location: "/y"], "")) : .success((200, [.cacheControl: "max-age=60"], "end"))
        }
        let session = session(origin)
        _ = try await session.data(for: request([:], .returnCacheDataElseLoad))
        let again = try await session.data(for: request([:], .returnCacheDataElseLoad))
        #expect(again.text == "end" && again.metrics.redirectCount == 1 && origin.requests.count == 2)
    }

    @Test func passesOverBodiesThatAreTooLong() async throws {
        let small = HTTPCache(storage: MemoryHTTPCacheStorage(capacity: 4000))
        let origin = OriginTransport { _ in
            .success((200, [.cacheControl: "max-age=60"], String(repeating: "x", count: 1001)))
        }
        let session = HTTPSession(configuration: .init(cache: small), transport: origin)
        for _ in 0..<2 { #expect(try await session.data(for: request()).body.count == 1001) }
        #expect(origin.requests.count == 2)
    }
}
