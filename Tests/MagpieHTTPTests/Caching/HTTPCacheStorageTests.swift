import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What every storage does, and what each does besides.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCacheStorageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private enum Kind: CaseIterable { case memory, disk }

    private func storage(_ kind: Kind, capacity: Int = 1 << 20) -> any HTTPCacheStorage {
        switch kind {
        case .memory: MemoryHTTPCacheStorage(capacity: capacity)
        case .disk: DiskHTTPCacheStorage(folder: folder.url.appending(path: "http"), capacity: capacity)
        }
    }

    private func head(_ tag: String) throws -> HTTPCacheEntry.Head {
        let url = try #require(URL(string: "http://host/x"))
        let fields: HTTPFields = [.etag: tag, .server: "ä", .server: "b"]
        let date = Date(timeIntervalSince1970: 1_750_000_000.25)
        return HTTPCacheEntry.Head(
            response: HTTPResponse(status: 404, headerFields: fields, version: .http2, url: url),
            requestTime: date,
            responseTime: date + 1,
            variants: .init(fieldNames: ["accept"], generation: "g")
        )
    }

    private func store(
        _ body: Data,
        _ head: HTTPCacheEntry.Head,
        for key: String,
        in storage: any HTTPCacheStorage
    ) throws {
        let writer = try #require(storage.makeWriter(for: key))
        for start in stride(from: 0, to: body.count, by: 1000) { writer.append(body.dropFirst(start).prefix(1000)) }
        writer.commit(head)
    }

    private func body(_ entry: HTTPCacheEntry?) -> Data? { entry.flatMap { $0.body.bytes(at: 0, count: .max) } }

    @Test(arguments: Kind.allCases) private func givesBackWhatWasStored(_ kind: Kind) throws {
        let storage = storage(kind)
        let bytes = TestBytes.pattern(count: 100_000)
        let head = try head("1")
        #expect(storage.entry(for: "k") == nil)
        try store(bytes, head, for: "k", in: storage)
        let entry = try #require(storage.entry(for: "k"))
        #expect(entry.head == head && entry.body.count == 100_000 && body(entry) == bytes)
        #expect(entry.body.bytes(at: 99_990, count: 100) == Data(bytes.suffix(10)))
        #expect(entry.body.bytes(at: 100_000, count: 1) == Data() && entry.body.bytes(at: .max, count: 1) == Data())
        #expect(storage.usage.count == 1 && storage.usage.bytes > 100_000)
        let new = try self.head("2")
        storage.replaceHead(head, with: new, for: "k")
        storage.replaceHead(head, with: new, for: "other")
        #expect(storage.entry(for: "k")?.head == new && body(storage.entry(for: "k")) == bytes)
        #expect(storage.entry(for: "other") == nil)
        // What was stored since has a body that the head says nothing of.
        storage.replaceHead(head, with: try self.head("3"), for: "k")
        #expect(storage.entry(for: "k")?.head == new)
        storage.removeEntry(for: "k")
        #expect(storage.entry(for: "k") == nil && storage.usage.count == 0)
    }

    @Test(arguments: Kind.allCases) private func keepsTheOldWhereTheNewBreaksOff(_ kind: Kind) throws {
        let storage = storage(kind)
        try store(Data("old".utf8), try head("1"), for: "k", in: storage)
        let writer = try #require(storage.makeWriter(for: "k"))
        writer.append(Data("new".utf8))
        #expect(body(storage.entry(for: "k")) == Data("old".utf8))
        writer.cancel()
        #expect(body(storage.entry(for: "k")) == Data("old".utf8))
        storage.removeAll()
        #expect(storage.entry(for: "k") == nil && storage.usage.count == 0)
    }

    @Test func memoryDropsWhatWasNotUsedForLongest() throws {
        let storage = storage(.memory, capacity: 20_000)
        for key in ["a", "b", "c", "d"] { try store(Data(count: 4000), try head(key), for: key, in: storage) }
        #expect(storage.entry(for: "a") != nil)
        try store(Data(count: 4000), try head("e"), for: "e", in: storage)
        #expect(["a", "b", "c", "d", "e"].filter { storage.entry(for: $0) != nil } == ["a", "c", "d", "e"])
        // What is too long for the whole is not stored, and what it would replace is gone.
        try store(Data(count: 5001), try head("a"), for: "a", in: storage)
        #expect(storage.entry(for: "a") == nil && storage.usage.count == 3)
        #expect(storage.usage.bytes <= 20_000)
    }

    @Test func diskSurvivesARestart() async throws {
        let origin = OriginTransport { _ in .success((200, [.cacheControl: "max-age=60"], "body")) }
        let request = HTTPRequest(url: try #require(URL(string: "http://host/x")))
        for use in [HTTPTaskMetrics.CacheUse.none, .hit] {
            let cache = HTTPCache(storage: storage(.disk))
            let session = HTTPSession(configuration: .init(cache: cache), transport: origin)
            let answer = try await session.data(for: request)
            #expect(answer.text == "body" && answer.metrics.cache == use)
            // What waits to be stored has been when this returns.
            await cache.remove(try #require(URL(string: "http://host/x?other")))
            _ = await eventually { await cache.usage().count == 1 }
        }
        #expect(origin.requests.count == 1)
    }

    /// Whatever times a file holds, the age can be told.
    @Test(arguments: Kind.allCases) private func servesEntriesOfImpossibleTimes(_ kind: Kind) async throws {
        let storage = storage(kind)
        var head = try head("1")
        head.variants = nil
        head.requestTime = Date(timeIntervalSinceReferenceDate: -1e300)
        try store(Data("body".utf8), head, for: "http://host/x", in: storage)
        let session = HTTPSession(configuration: .init(cache: HTTPCache(storage: storage)))
        var request = HTTPRequest(url: try #require(URL(string: "http://host/x")))
        request.cachePolicy = .returnCacheDataDontLoad
        let answer = try await session.data(for: request)
        #expect(answer.text == "body" && answer.headerFields[.age] == "2147483648")
    }

    /// A damaged file costs an entry, and the server is asked.
    @Test func diskDoesNotServeWhatIsDamaged() async throws {
        let origin = OriginTransport { _ in .success((200, [.cacheControl: "max-age=60"], "body")) }
        let request = HTTPRequest(url: try #require(URL(string: "http://host/x")))
        let cache = HTTPCache(storage: storage(.disk))
        let session = HTTPSession(configuration: .init(cache: cache), transport: origin)
        _ = try await session.data(for: request)
        #expect(await eventually { await cache.usage().count == 1 })
        let files = try #require(FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
        var damaged = 0
        for case let file as URL in files {
            guard var bytes = try? Data(contentsOf: file), bytes.starts(with: Data("body".utf8)) else { continue }
            bytes[0] = UInt8(ascii: "B")
            try bytes.write(to: file)
            damaged += 1
        }
        #expect(damaged == 1)
        let answer = try await session.data(for: request)
        #expect(answer.text == "body" && answer.metrics.cache == .none)
    }
}
