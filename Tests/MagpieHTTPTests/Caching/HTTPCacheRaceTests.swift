import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a cache stores and answers where exchanges for one address overlap.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCacheRaceTests {
    private let cache = HTTPCache()
    private let origin = SteeredTransport()
    private let session: HTTPSession
    private let url: URL

    init() throws {
        session = HTTPSession(configuration: .init(cache: cache), transport: origin)
        url = try #require(URL(string: "http://host/x"))
    }

    private static func fields(_ tag: String, age: Int = 60) -> HTTPFields {
        [.etag: "\"\(tag)\"", .cacheControl: "max-age=\(age)"]
    }

    private func request(_ policy: HTTPRequest.CachePolicy = .useProtocolCachePolicy) -> HTTPRequest {
        var request = HTTPRequest(url: url)
        request.cachePolicy = policy
        return request
    }

    /// Stores an answer; it is the first exchange.
    private func store(_ tag: String, age: Int) async throws {
        async let answer = session.data(for: request())
        try await origin.exchange(0).answer(.ok, Self.fields(tag, age: age), tag)
        #expect(try await answer.text == tag)
    }

    /// While one version is validated another is stored: the 304 is no word on that one.
    @Test func a304LeavesWhatWasStoredMeanwhile() async throws {
        try await store("one", age: 0)
        async let validated = session.data(for: request())
        let validation = try await origin.exchange(1)
        async let reloaded = session.data(for: request(.reloadIgnoringLocalCacheData))
        try await origin.exchange(2).answer(.ok, Self.fields("two"), "two")
        #expect(try await reloaded.text == "two")
        validation.answer(.notModified, Self.fields("one"))
        #expect(try await validated.text == "one")
        let stored = try await session.data(for: request(.returnCacheDataDontLoad))
        #expect(stored.text == "two" && stored.headerFields[.etag] == "\"two\"")
    }

    /// What is fetched for the cache alone is dropped as soon as it turns out that the cache will not have it.
    @Test(arguments: [true, false])
    func dropsAValidationBehindThatCannotBeStored(isKnownFromTheHead: Bool) async throws {
        let cache = HTTPCache(storage: MemoryHTTPCacheStorage(capacity: 8192))
        let session = HTTPSession(configuration: .init(cache: cache), transport: origin)
        let fields: HTTPFields = [.etag: "\"one\"", .cacheControl: "max-age=0, stale-while-revalidate=100"]
        async let first = session.data(for: request())
        try await origin.exchange(0).answer(.ok, fields, "one")
        #expect(try await first.text == "one")
        #expect(try await session.data(for: request()).metrics.cache == .stale)
        let behind = try await origin.exchange(1)
        behind.head(.ok, [.cacheControl: isKnownFromTheHead ? "no-store" : "max-age=60"])
        if !isKnownFromTheHead {
            behind.chunk(String(repeating: "x", count: 2048))
            #expect(!behind.isCancelled)
            behind.chunk("!")
        }
        #expect(behind.isCancelled)
    }

    private enum Invalidation: CaseIterable { case put, remove, removeAll }

    /// An answer that was asked for before a change may be from before it, however late it comes.
    @Test(arguments: Invalidation.allCases, [true, false])
    private func storesNothingFromBeforeAnInvalidation(_ invalidation: Invalidation, hasBegun: Bool) async throws {
        async let old = session.data(for: request())
        let exchange = try await origin.exchange(0)
        if hasBegun {
            exchange.head(.ok, Self.fields("old"))
            exchange.chunk("o")
        }
        switch invalidation {
        case .put:
            let change = HTTPRequest(method: .put, url: url)
            async let done = session.data(for: change)
            try await origin.exchange(1).answer(.init(code: 204))
            _ = try await done
        case .remove: await cache.remove(url)
        case .removeAll: await cache.removeAll()
        }
        if !hasBegun {
            exchange.head(.ok, Self.fields("old"))
            exchange.chunk("o")
        }
        exchange.chunk("ld")
        exchange.end()
        #expect(try await old.text == "old")
        await #expect(throws: HTTPError.notInCache) {
            try await session.data(for: request(.returnCacheDataDontLoad))
        }
    }

    /// Who waits for a validation does not wait for a body that the first caller is in no hurry to take.
    @Test func aHeldBackAnswerHoldsBackNobodyElse() async throws {
        try await store("one", age: 0)
        let first = RecordingDelegate(flow: .pause)
        let task = session.task(with: request(), delegate: first)
        let leading = try await origin.exchange(1)
        async let second = session.data(for: request())
        let cache = cache
        #expect(await eventually { cache.statistics.joined == 1 })
        leading.head(.ok, Self.fields("two"))
        leading.chunk("t")
        await first.firstChunk.pass()
        try await origin.exchange(2).answer(.ok, Self.fields("two"), "two")
        #expect(try await second.text == "two")
        task.cancel()
        leading.end()
        await first.end.pass()
    }
}
