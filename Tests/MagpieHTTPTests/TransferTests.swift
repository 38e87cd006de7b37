import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Plain loading from a real server.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TransferTests {
    private func served(_ name: String, _ data: Data) async throws -> NginxServer {
        let server = try await NginxServer.shared()
        try data.write(to: server.root.appending(path: name))
        return server
    }

    private func trusting(_ server: NginxServer, perHost: Int = 6) -> HTTPSession {
        HTTPSession(
            configuration: .init(maximumConcurrentTasksPerHost: perHost, trust: .init(caFile: server.caFile))
        )
    }

    @Test func loadsAFileWithItsHead() async throws {
        let server = try await served("plain.txt", Data("a magpie".utf8))
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url("/plain.txt")))
        #expect(answer.text == "a magpie")
        #expect(answer.status == .ok)
        #expect(answer.response.version == .http1_1)
        #expect(answer.headerFields[.contentLength] == "8")
        #expect(answer.headerFields[.contentType] == "text/plain")
        #expect(answer.response.url == server.url("/plain.txt"))
        #expect(answer.metrics.bytesReceived == 8)
        #expect(answer.metrics.version == .http1_1)
        #expect(answer.metrics.remoteAddress == "127.0.0.1")
        #expect(answer.metrics.total > .zero)
    }

    @Test func loadsManyMegabytesUnharmed() async throws {
        let data = TestBytes.pattern(count: 5 << 20)
        let server = try await served("large.bin", data)
        let seen = Lock<[HTTPProgress]>([])
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url("/large.bin"))) { progress in
            seen.withLock { $0.append(progress) }
        }
        #expect(answer.body == data)
        let progress = seen.withLock { $0 }
        #expect(progress.last == HTTPProgress(completed: Int64(data.count), expected: Int64(data.count)))
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
    }

    @Test func aStatusIsNoError() async throws {
        let server = try await NginxServer.shared()
        let answer = try await HTTPSession().data(for: HTTPRequest(url: server.url("/no-such-file")))
        #expect(answer.status == .notFound)
        #expect(answer.status.description == "404 Not Found")
    }

    @Test func headHasNoBody() async throws {
        let server = try await served("head.txt", Data("a magpie".utf8))
        let session = HTTPSession(baseURL: server.url("/"))
        let head = try await session.head("head.txt")
        #expect(head.headerFields[.contentLength] == "8")
        #expect(head.body.isEmpty)
        // The same handle serves a GET next, on the same connection.
        let get = try await session.get("head.txt")
        #expect(get.text == "a magpie")
        #expect(get.metrics.isConnectionReused)
    }

    @Test func anEmptyBodyIsNoError() async throws {
        let server = try await served("empty.txt", Data())
        #expect(try await HTTPSession().data(for: HTTPRequest(url: server.url("/empty.txt"))).body == Data())
    }

    @Test func connectionsAreReused() async throws {
        let server = try await served("reuse.txt", Data("a".utf8))
        let session = HTTPSession(baseURL: server.url("/"))
        for number in 0..<20 { _ = try await session.get("reuse.txt?\(number)") }
        let log = try await server.requests(under: "/reuse.txt", atLeast: 20)
        #expect(Set(log.map(\.connection)).count == 1)
    }

    @Test func manyStreamsShareOneConnection() async throws {
        let server = try await served("multiplex.txt", Data(repeating: 0x61, count: 100_000))
        let session = trusting(server, perHost: 40)
        try await withThrowingTaskGroup(of: HTTPDataResponse.self) { group in
            for number in 0..<40 {
                let request = HTTPRequest(url: server.url("/multiplex.txt?\(number)", through: .secure))
                group.addTask { try await session.data(for: request) }
            }
            for try await answer in group {
                #expect(answer.response.version == .http2)
                #expect(answer.body.count == 100_000)
            }
        }
        let log = try await server.requests(under: "/multiplex.txt", atLeast: 40)
        #expect(log.count == 40)
        #expect(Set(log.map(\.connection)).count == 1)
        #expect(log.allSatisfy { $0.version == "HTTP/2.0" })
    }

    @Test func http1WhereTheServerHasNoOther() async throws {
        let server = try await served("old.txt", Data("a".utf8))
        let answer = try await trusting(server).data(
            for: HTTPRequest(url: server.url("/old.txt", through: .secureHTTP1))
        )
        #expect(answer.response.version == .http1_1)
        #expect(answer.metrics.secureConnect > .zero)
    }

    @Test func compressedBodiesArriveDecoded() async throws {
        let text = String(repeating: "magpie ", count: 10_000)
        let server = try await served("packed.txt", Data(text.utf8))
        let request = HTTPRequest(url: server.url("/gzip/packed.txt"))
        let answer = try await HTTPSession().data(for: request)
        #expect(answer.text == text)
        #expect(answer.headerFields[.contentEncoding] == "gzip")
        #expect(answer.metrics.bytesReceived < 10_000)
        // Who does not want it decoded gets it as it is.
        let plain = try await HTTPSession(configuration: .init(decompresses: false)).data(for: request)
        #expect(plain.headerFields[.contentEncoding] == nil)
        var raw = request
        raw.headerFields[.acceptEncoding] = "gzip"
        #expect(try await HTTPSession().data(for: raw).body.starts(with: [0x1F, 0x8B]))
    }

    @Test func aBodyBeyondTheLimitIsRefused() async throws {
        let server = try await served("limit.bin", Data(repeating: 0, count: 200_000))
        let session = HTTPSession(configuration: .init(maximumResponseSize: 100_000))
        await #expect(throws: HTTPError.responseTooLarge(limit: 100_000)) {
            try await session.data(for: HTTPRequest(url: server.url("/limit.bin")))
        }
        // Compressed it is small on the wire, and still too long.
        await #expect(throws: HTTPError.responseTooLarge(limit: 100_000)) {
            try await session.data(for: HTTPRequest(url: server.url("/gzip/limit.bin")))
        }
        #expect(try await session.data(for: HTTPRequest(method: .head, url: server.url("/limit.bin"))).status == .ok)
    }
}
