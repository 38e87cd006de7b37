import Foundation
import Magpie
import MagpieHTTP
import MagpieTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ImageDownloaderTests {
    private let url = URL(string: "http://pictures.example/a.png") ?? URL(fileURLWithPath: "/")

    private func downloader(
        _ transport: StubTransport,
        _ change: (inout ImageDownloader.Configuration) -> Void = { _ in }
    )
        -> ImageDownloader
    {
        var configuration = ImageDownloader.Configuration()
        change(&configuration)
        return ImageDownloader(configuration: configuration, transport: transport)
    }

    @Test func returnsTheBytesAndTheAnswer() async throws {
        let transport = StubTransport { $0.answer(Data([1, 2, 3])) }
        let result = try await downloader(transport).data(from: url)
        #expect(result.data == Data([1, 2, 3]))
        #expect(result.response.headerFields[.contentType] == "image/png")
    }

    @Test func asksForPictures() async throws {
        let transport = StubTransport { $0.answer(Data([1])) }
        _ = try await downloader(transport).data(from: url, headerFields: [.referer: "http://x/"])
        let request = try #require(transport.exchanges.first?.request)
        #expect(request.headerFields[.accept] == "image/*,*/*;q=0.8")
        #expect(request.headerFields[.referer] == "http://x/")
        #expect(request.headerFields[.userAgent] != nil)
    }

    @Test func twoRequestsForOnePictureAreOne() async throws {
        let transport = StubTransport()
        let downloader = downloader(transport)
        let results = Recorder<Data>()
        for _ in 0..<10 {
            downloader.download(url) { if case .success(let answer) = $0 { results.record(answer.data) } }
        }
        #expect(downloader.currentDownloadCount == 1)
        await transport.exchange(1).answer(Data([5]))
        #expect(await results.elements(10) == Array(repeating: Data([5]), count: 10))
        #expect(transport.exchanges.count == 1)
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test func differentFieldsAreDifferentRequests() async {
        let transport = StubTransport()
        let downloader = downloader(transport)
        for language in ["de", "fr"] {
            downloader.download(url, headerFields: [.acceptLanguage: language]) { _ in }
        }
        _ = await transport.exchange(2)
        #expect(downloader.currentDownloadCount == 2)
    }

    @Test func whoCancelsHearsOfItAtOnceAndTheOthersGoOn() async {
        let transport = StubTransport()
        let downloader = downloader(transport)
        let results = Recorder<String>()
        let first = downloader.download(url) { results.record("first \($0.isSuccess)") }
        downloader.download(url) { results.record("second \($0.isSuccess)") }
        let exchange = await transport.exchange(1)
        first.cancel()
        #expect(results.elements == ["first false"])
        #expect(!exchange.isCancelled)
        exchange.answer(Data([1]))
        #expect(await results.elements(2) == ["first false", "second true"])
    }

    @Test func theTransferEndsWithTheLastWhoCancels() async {
        let transport = StubTransport()
        let downloader = downloader(transport)
        let downloads = (0..<5).map { _ in downloader.download(url) { _ in } }
        let exchange = await transport.exchange(1)
        downloads.forEach { $0.cancel() }
        await exchange.waitUntilCancelled()
        #expect(downloader.currentDownloadCount == 0)
        #expect(downloads.allSatisfy { $0.isFinished })
    }

    @Test func cancellingAndAskingAgainStartsAnew() async {
        let transport = StubTransport()
        let downloader = downloader(transport)
        downloader.download(url) { _ in }.cancel()
        let results = Recorder<Bool>()
        downloader.download(url) { results.record($0.isSuccess) }
        _ = await transport.exchange(1)
        // The first may have been withdrawn before it reached the transport.
        transport.exchanges.last?.answer(Data([1]))
        #expect(await results.elements(1) == [true])
    }

    @Test(arguments: [404, 500, 304, 199]) func aStatusThatIsNotSuccessIsAnError(status: Int) async {
        let transport = StubTransport { $0.answer(Data([1]), status: status) }
        await #expect {
            _ = try await downloader(transport).data(from: url)
        } throws: { error in
            guard case WebImageError.unacceptableStatus(let got)? = error as? WebImageError else { return false }
            return got.code == status
        }
    }

    @Test func anEmptyBodyIsAnError() async {
        let transport = StubTransport { $0.answer(Data()) }
        await #expect {
            _ = try await downloader(transport).data(from: url)
        } throws: { ($0 as? WebImageError)?.code == "empty-body" }
    }

    @Test func aBodyOverTheLimitIsAnError() async {
        let transport = StubTransport { $0.finish(.failure(.responseTooLarge(limit: 10))) }
        await #expect {
            _ = try await downloader(transport).data(from: url)
        } throws: { ($0 as? WebImageError)?.code == "response-too-large" }
    }

    @Test(arguments: ["ftp://h/a.png", "file:///etc/passwd", "gopher://h/"]) func onlyTheWebIsAsked(address: String)
        async throws
    {
        let transport = StubTransport { $0.answer(Data([1])) }
        let url = try #require(URL(string: address))
        await #expect {
            _ = try await downloader(transport).data(from: url)
        } throws: { ($0 as? WebImageError)?.code == "unsupported-scheme" }
        #expect(transport.exchanges.isEmpty)
    }

    @Test func atMostTheConfiguredNumberRunsAndTheNewestGoesFirstWhenAsked() async throws {
        let transport = StubTransport()
        let downloader = downloader(transport) {
            $0.maxConcurrentDownloads = 1
            $0.order = .lifo
        }
        func url(_ number: Int) -> URL { self.url.appendingPathComponent("\(number)") }
        for number in 1...4 { downloader.download(url(number)) { _ in } }
        for number in 1...4 { await transport.exchange(number).answer(Data([1])) }
        #expect(transport.exchanges.map { $0.request.url.lastPathComponent } == ["1", "4", "3", "2"])
    }

    @Test func aRaisedPriorityOvertakesTheQueue() async {
        let transport = StubTransport()
        let downloader = downloader(transport) { $0.maxConcurrentDownloads = 1 }
        func url(_ number: Int) -> URL { self.url.appendingPathComponent("\(number)") }
        let downloads = (1...4).map { downloader.download(url($0)) { _ in } }
        downloads[3].priority = .high
        downloads[1].priority = .veryLow
        for number in 1...4 { await transport.exchange(number).answer(Data([1])) }
        #expect(transport.exchanges.map { $0.request.url.lastPathComponent } == ["1", "4", "3", "2"])
    }

    @Test func progressIsTold() async {
        let transport = StubTransport()
        let downloader = downloader(transport)
        let seen = Recorder<HTTPProgress>()
        downloader.download(url) {
            seen.record($0)
        } completion: { _ in
        }
        let exchange = await transport.exchange(1)
        exchange.respond(headerFields: [.contentLength: "4"])
        exchange.send(Data([1, 2]))
        exchange.send(Data([3, 4]))
        exchange.finish()
        let progress = await seen.elements(2)
        #expect(progress.last == HTTPProgress(completed: 4, expected: 4))
        #expect(progress.contains(HTTPProgress(completed: 2, expected: 4)))
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
