import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Bodies of a server that others made: compressed, in chunks, in parts, and late.
@Suite(.timeLimit(.minutes(1)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HttpbinBodyTests {
    @Test(arguments: [("gzip", "gzipped"), ("deflate", "deflated"), ("brotli", "brotli")])
    func compressions(path: String, mark: String) async throws {
        let request = HTTPRequest(url: try await HttpbinServer.shared().url(path))
        let answer = try await HTTPSession().data(for: request)
        #expect(try answer.json()[mark].bool == true)
        let raw = try await HTTPSession(configuration: .init(decompresses: false)).data(for: request)
        #expect(raw.headerFields[.contentEncoding] == (path == "brotli" ? "br" : path))
        #expect(raw.body.first != UInt8(ascii: "{"))
    }

    @Test func linesAsTheyCome() async throws {
        let request = HTTPRequest(url: try await HttpbinServer.shared().url("stream/20"))
        let answer = try await HTTPSession().stream(for: request)
        var numbers: [Int] = []
        for try await line in answer.body.lines {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if let number = value?["id"] as? Int { numbers.append(number) }
        }
        #expect(numbers == Array(0..<20))
    }

    @Test(arguments: [1, 1000]) func bytesInChunks(size: Int) async throws {
        let path = "stream-bytes/10000?seed=1&chunk_size=\(size)"
        let answer = try await HTTPSession().stream(for: HTTPRequest(url: HttpbinServer.shared().url(path)))
        var count = 0
        for try await piece in answer.body { count += piece.count }
        #expect(answer.response.headerFields[.contentLength] == nil)
        #expect(count == 10_000)
    }

    @Test func drops() async throws {
        let url = try await HttpbinServer.shared().url("drip?duration=0.2&numbytes=10&delay=0&code=202")
        let progress = Recorder<HTTPProgress>()
        let answer = try await HTTPSession().data(for: HTTPRequest(url: url), progress: { progress.record($0) })
        #expect(answer.status == 202)
        #expect(answer.text == "**********")
        let steps = await progress.elements(1)
        #expect(steps.allSatisfy { $0.expected == 10 })
    }

    @Test func ranges() async throws {
        let url = try await HttpbinServer.shared().url("range/26")
        let session = HTTPSession()
        let whole = try await session.data(for: HTTPRequest(url: url))
        #expect(whole.status == .ok && whole.text == "abcdefghijklmnopqrstuvwxyz")
        for (range, text) in [("bytes=0-2", "abc"), ("bytes=23-", "xyz"), ("bytes=-1", "z")] {
            let part = try await session.data(for: HTTPRequest(url: url, headerFields: [.range: range]))
            #expect(part.status == .partialContent && part.text == text)
        }
        #expect(try await session.data(for: HTTPRequest(url: url, headerFields: [.range: "bytes=26-"])).status == 416)
    }

    /// A download that was given up half-way is whole after the next, although httpbin's entity tags, which lack the
    /// quotes (RFC 9110 §8.8.3), prove nothing.
    @Test func aDownloadThatIsContinued() async throws {
        let request = HTTPRequest(url: try await HttpbinServer.shared().url("range/5200?duration=0.4&chunk_size=260"))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "alphabet")
        let session = HTTPSession()
        let isKnown = TestGate()
        let running = Lock<HTTPDownloadTask?>(nil)
        let endings = Recorder<HTTPError?>()
        // The download waits for its first progress to be dealt with, and cannot end before it is cancelled.
        let cancel: @Sendable (HTTPProgress) -> Void = { _ in
            isKnown.block()
            running.withLock { $0 }?.cancel()
        }
        let task = session.download(request, to: file, resuming: true, progress: cancel) { result in
            if case .failure(let error) = result { endings.record(error) } else { endings.record(nil) }
        }
        running.withLock { $0 = task }
        isKnown.open()
        #expect(await endings.elements(1) == [.cancelled])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try await session.download(request, to: file, resuming: true)
        let alphabet = "abcdefghijklmnopqrstuvwxyz"
        #expect(try String(contentsOf: file, encoding: .utf8) == String(repeating: alphabet, count: 200))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["alphabet"])
    }

    @Test func delays() async throws {
        let server = try await HttpbinServer.shared()
        var request = HTTPRequest(url: server.url("delay/0.1"))
        #expect(try await HTTPSession().data(for: request).status == .ok)
        request.url = server.url("delay/3")
        request.timeouts = HTTPTimeouts(total: .milliseconds(150))
        await #expect(throws: HTTPError.timedOut(stage: .total, after: .milliseconds(150))) {
            try await HTTPSession().data(for: request)
        }
        request.timeouts = HTTPTimeouts(idle: .milliseconds(150))
        await #expect(throws: HTTPError.timedOut(stage: .idle, after: .milliseconds(150))) {
            try await HTTPSession().data(for: request)
        }
    }
}
