import Foundation
import MagpieHTTP
import MagpieImage
import MagpieTestSupport
import Synchronization
import Testing

@testable import Magpie

@Suite(.timeLimit(.minutes(1))) struct ImageManagerTests {
    /// A coder that counts and can be held, over the built-in ones.
    private final class CountingCoder: ImageCoder {
        let decodes = Recorder<PixelSize?>()
        let gate = TestGate()
        private let inner = ImageCoders()
        var decodableFormats: [ImageFormat] { [.png] }

        func info(_ data: Data, limits: ImageLimits) throws(ImageCodingError) -> ImageInfo {
            try inner.info(data, limits: limits)
        }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(ImageCodingError) -> DecodedImage {
            decodes.record(options.thumbnailSize)
            gate.block()
            return try inner.decode(data, options: options)
        }
    }

    private let url = URL(string: "http://pictures.example/a.png") ?? URL(fileURLWithPath: "/")
    private let folder: TemporaryFolder
    private let coder = CountingCoder()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func manager(_ transport: StubTransport, opens: Bool = true) -> ImageManager {
        if opens { coder.gate.open() }
        return ImageManager(
            cache: ImageCache(name: "cache", folder: folder.url),
            downloader: ImageDownloader(transport: transport),
            coders: ImageCoders([coder])
        )
    }

    private func serving(_ data: Data) -> StubTransport {
        StubTransport { $0.answer(data) }
    }

    // MARK: - Where a picture comes from

    @Test func networkThenMemoryThenDisk() async throws {
        let transport = serving(try TestPicture.encoded(width: 40, height: 30))
        let manager = manager(transport)
        let first = try await manager.load(url, options: [.waitStoreCache]).result.get()
        #expect(first.source == .network)
        #expect(first.image.width == 40)
        let second = try await manager.load(url).result.get()
        #expect(second.source == .memory)
        #expect(second.image === first.image)
        manager.cache.clearMemory()
        let third = try await manager.load(url).result.get()
        #expect(third.source == .disk)
        #expect(third.image.bitmap.straightRGBA() == first.image.bitmap.straightRGBA())
        #expect(transport.exchanges.count == 1)
    }

    @Test func aPictureInMemoryIsThereBeforeTheCallReturns() async throws {
        let manager = manager(serving(try TestPicture.encoded()))
        let image = try await manager.image(from: url)
        let load = manager.load(url)
        #expect(load.isFinished)
        let seen = Recorder<String>()
        manager.load(url) { seen.record((try? $0.get().image) === image ? "same" : "other") }
        #expect(seen.elements == ["same"])
    }

    @Test func bytesComeWithTheResultWhenAskedFor() async throws {
        let data = try TestPicture.encoded()
        let manager = manager(serving(data))
        let first = try await manager.load(url, options: [.waitStoreCache, .queryMemoryData]).result.get()
        #expect(first.data == data)
        #expect(try await manager.load(url).result.get().data == nil)
        let second = try await manager.load(url, options: [.queryMemoryData]).result.get()
        #expect(second.source == .memory)
        #expect(second.data == data)
        await manager.cache.clearDisk()
        let third = try await manager.load(url, options: [.queryMemoryData]).result.get()
        #expect(third.source == .memory)
        #expect(third.data == nil)
    }

    @Test func anotherProcessFindsItOnDisk() async throws {
        let data = try TestPicture.encoded()
        _ = try await manager(serving(data)).load(url, options: [.waitStoreCache]).result.get()
        let offline = StubTransport { $0.finish(.failure(.unknownHost("pictures.example"))) }
        #expect(try await manager(offline).load(url).result.get().source == .disk)
    }

    @Test func fromCacheOnlyNeverAsksTheNetwork() async throws {
        let transport = serving(try TestPicture.encoded())
        let manager = manager(transport)
        await #expect {
            _ = try await manager.image(from: url, options: [.fromCacheOnly])
        } throws: { ($0 as? WebImageError)?.code == "not-cached" }
        #expect(transport.exchanges.isEmpty)
    }

    @Test func fromLoaderOnlyAsksTheNetworkAnew() async throws {
        let transport = serving(try TestPicture.encoded())
        let manager = manager(transport)
        _ = try await manager.image(from: url, options: [.waitStoreCache])
        #expect(try await manager.load(url, options: [.fromLoaderOnly]).result.get().source == .network)
        #expect(transport.exchanges.count == 2)
    }

    @Test func cacheTypesSayWhatIsKept() async throws {
        let manager = manager(serving(try TestPicture.encoded()))
        var context = ImageContext()
        context.storeCacheTypes = .disk
        _ = try await manager.image(from: url, options: [.waitStoreCache], context: context)
        #expect(manager.cache.memory.count == 0)
        #expect(await manager.cache.data(for: url.absoluteString) != nil)
        await manager.cache.clearDisk()
        context.storeCacheTypes = .memory
        _ = try await manager.image(from: url, options: [.waitStoreCache], context: context)
        #expect(manager.cache.memory.count == 1)
        #expect(await manager.cache.data(for: url.absoluteString) == nil)
    }

    @Test func aKeyOfTheCallersOwnStandsForTheAddress() async throws {
        let transport = serving(try TestPicture.encoded())
        let manager = manager(transport)
        var context = ImageContext()
        context.cacheKey = "avatar-7"
        _ = try await manager.image(from: url, options: [.waitStoreCache], context: context)
        let signed = try #require(URL(string: "http://pictures.example/a.png?signature=2"))
        #expect(try await manager.load(signed, context: context).result.get().source == .memory)
        #expect(await manager.cache.data(for: "avatar-7") != nil)
    }

    // MARK: - Joined work

    @Test func aThousandLoadsAreOneRequestOneDecodeAndAThousandResults() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let results = Recorder<ObjectIdentifier?>()
        for _ in 0..<1000 {
            manager.load(url) { results.record((try? $0.get()).map { ObjectIdentifier($0.image) }) }
        }
        await transport.exchange(1).answer(try TestPicture.encoded())
        let images = await results.elements(1000)
        #expect(images.count == 1000)
        #expect(Set(images).count == 1 && images[0] != nil)
        #expect(transport.exchanges.count == 1)
        #expect(coder.decodes.elements.count == 1)
    }

    @Test func cancellingAllButOneLeavesTheOne() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let results = Recorder<Bool>()
        let loads = (0..<1000).map { _ in manager.load(url) { results.record($0.isSuccess) } }
        let exchange = await transport.exchange(1)
        loads.dropFirst().forEach { $0.cancel() }
        #expect(results.elements == Array(repeating: false, count: 999))
        #expect(!exchange.isCancelled)
        exchange.answer(try TestPicture.encoded())
        let last = await results.elements(1000)
        #expect(last.filter { $0 }.count == 1)
    }

    @Test func cancellingAllClosesTheTransfer() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let loads = (0..<1000).map { _ in manager.load(url) }
        let exchange = await transport.exchange(1)
        loads.forEach { $0.cancel() }
        await exchange.waitUntilCancelled()
        #expect(manager.downloader.currentDownloadCount == 0)
        for load in loads.prefix(3) {
            guard case .failure(.cancelled) = await load.result else {
                Issue.record("not cancelled")
                return
            }
        }
    }

    @Test func sizesOfOnePictureShareTheDownloadAndDecodeOnceEach() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let sizes = [10, 20, 10, 20, 10]
        let results = Recorder<Int>()
        for size in sizes {
            manager.load(url, context: .thumbnail(width: size, height: size)) { result in
                results.record((try? result.get().image.width) ?? 0)
            }
        }
        await transport.exchange(1).answer(try TestPicture.encoded(width: 40, height: 40))
        #expect(await results.elements(5).sorted() == [10, 10, 10, 20, 20])
        #expect(transport.exchanges.count == 1)
        #expect(coder.decodes.elements.count == 2)
    }

    @Test func transformersRunOnceForEachPrefix() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let runs = Recorder<String>()
        func step(_ name: String) -> any ImageTransformer {
            ClosureTransformer(key: name) { (bitmap) throws(ImageCodingError) in
                runs.record(name)
                return bitmap
            }
        }
        let done = Recorder<Bool>()
        for names in [["a"], ["a", "b"], ["a", "b"], ["a", "c"], ["b"]] {
            manager.load(url, context: ImageContext(transformers: names.map(step))) { done.record($0.isSuccess) }
        }
        await transport.exchange(1).answer(try TestPicture.encoded())
        #expect(await done.elements(5) == Array(repeating: true, count: 5))
        #expect(runs.elements.sorted() == ["a", "b", "b", "c"])
        #expect(coder.decodes.elements.count == 1)
        // Each prefix was kept: a longer pipeline starts from it.
        _ = try await manager.image(from: url, context: ImageContext(transformers: ["a", "b", "d"].map(step)))
        #expect(runs.elements.count == 5)
    }

    @Test func aRaisedPriorityReachesTheDownload() async throws {
        let transport = StubTransport()
        coder.gate.open()
        var configuration = ImageDownloader.Configuration()
        configuration.maxConcurrentDownloads = 1
        let manager = ImageManager(
            cache: ImageCache(memory: MemoryCache(), disk: nil),
            downloader: ImageDownloader(configuration: configuration, transport: transport),
            coders: ImageCoders([coder])
        )
        func url(_ number: Int) -> URL { self.url.appendingPathComponent("\(number).png") }
        let loads = (1...4).map { manager.load(url($0), options: [.lowPriority]) }
        _ = await transport.exchange(1)
        // One who wants the last picture at once lifts the work that all share.
        manager.load(url(4), options: [.highPriority])
        loads[2].priority = .normal
        for number in 1...4 { await transport.exchange(number).answer(try TestPicture.encoded()) }
        let order = transport.exchanges.map { $0.request.url.lastPathComponent }
        #expect(order == ["1.png", "4.png", "3.png", "2.png"])
    }

    @Test func cancellingDuringTheDecodeStillDeliversOnce() async throws {
        let manager = manager(serving(try TestPicture.encoded()), opens: false)
        let results = Recorder<Bool>()
        let load = manager.load(url) { results.record($0.isSuccess) }
        _ = await coder.decodes.elements(1)
        load.cancel()
        #expect(results.elements == [false])
        coder.gate.open()
        let again = try await manager.image(from: url)
        #expect(again.width == 40)
        #expect(results.elements.count == 1)
    }

    @Test func cancellingTheSwiftTaskCancelsTheLoad() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let task = Task { try await manager.image(from: url) }
        let exchange = await transport.exchange(1)
        task.cancel()
        await #expect {
            _ = try await task.value
        } throws: { ($0 as? WebImageError)?.code == "cancelled" }
        await exchange.waitUntilCancelled()
    }

    // MARK: - What is not a picture

    @Test func aPageInPlaceOfAPictureIsAnErrorAndIsNotKept() async throws {
        let page = Data("<!DOCTYPE html><html><body>Not here</body></html>".utf8)
        let manager = manager(StubTransport { $0.answer(page, headerFields: [.contentType: "image/jpeg"]) })
        await #expect {
            _ = try await manager.image(from: url, options: [.waitStoreCache])
        } throws: { error in
            guard let error = error as? WebImageError else { return false }
            return error.description.contains("HTML") && error.description.contains("image/jpeg")
        }
        #expect(await manager.cache.data(for: url.absoluteString) == nil)
    }

    @Test func aDamagedPictureIsNotKept() async throws {
        let half = try TestPicture.encoded(width: 100, height: 100).prefix(120)
        let manager = manager(serving(Data(half)))
        await #expect(throws: WebImageError.self) { _ = try await manager.image(from: url) }
        await manager.cache.flush()
        #expect(await manager.cache.data(for: url.absoluteString) == nil)
    }

    @Test func bytesOnDiskThatAreNoPictureAreFetchedAgain() async throws {
        let transport = serving(try TestPicture.encoded())
        let manager = manager(transport)
        let half = try TestPicture.encoded(width: 100, height: 100).prefix(120)
        manager.cache.store(CachedData(key: url.absoluteString, data: Data(half)))
        await manager.cache.flush()
        let result = try await manager.load(url, options: [.waitStoreCache]).result.get()
        #expect(result.source == .network)
        #expect(transport.exchanges.count == 1)
        await manager.cache.flush()
    }

    @Test func aPictureThatOneManagerRefusesStaysOnDiskForTheOthers() async throws {
        let transport = serving(try TestPicture.encoded(width: 40, height: 30))
        let cache = ImageCache(name: "cache", folder: folder.url)
        coder.gate.open()
        let strict = ImageManager(
            cache: cache,
            downloader: ImageDownloader(transport: transport),
            limits: ImageLimits(maximumPixels: 100)
        )
        for _ in 0..<2 { await #expect(throws: WebImageError.self) { _ = try await strict.image(from: url) } }
        await cache.flush()
        #expect(transport.exchanges.count == 1)
        #expect(try await manager(transport).load(url).result.get().source == .disk)
    }

    @Test func theEndOfALoadIsNeverLostToLateProgress() async throws {
        for _ in 0..<300 {
            let transport = StubTransport()
            let manager = manager(transport)
            let load = manager.load(url)
            let events = load.events
            let exchange = await transport.exchange(1)
            exchange.respond(headerFields: [.contentLength: "1000"])
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<20 { exchange.send(Data([1])) } }
                group.addTask { load.cancel() }
            }
            var ends = 0
            for await event in events { if case .finished = event { ends += 1 } }
            #expect(ends == 1)
        }
    }

    @Test func aPictureOverTheLimitIsRefused() async throws {
        coder.gate.open()
        let manager = ImageManager(
            cache: ImageCache(memory: MemoryCache(), disk: nil),
            downloader: ImageDownloader(transport: serving(try TestPicture.encoded(width: 40, height: 30))),
            limits: ImageLimits(maximumPixels: 1000)
        )
        await #expect {
            _ = try await manager.image(from: url)
        } throws: {
            ($0 as? WebImageError)?.code == ImageCodingError.tooLarge(width: 1, height: 1, limitPixels: 1).code
        }
    }

    @Test func aTransformerThatFailsIsNamed() async throws {
        let manager = manager(serving(try TestPicture.encoded()))
        let broken = ClosureTransformer(key: "broken") { (_) throws(ImageCodingError) in throw .outOfMemory(bytes: 1) }
        await #expect {
            _ = try await manager.image(from: url, context: ImageContext(transformers: [broken]))
        } throws: { ($0 as? WebImageError)?.description.contains("broken") == true }
    }

    // MARK: - Events

    @Test func eventsAreProgressAndThenOneEnd() async throws {
        let transport = StubTransport()
        let manager = manager(transport)
        let load = manager.load(url)
        let events = load.events
        let exchange = await transport.exchange(1)
        let data = try TestPicture.encoded()
        exchange.respond(headerFields: [.contentLength: "\(data.count)"])
        exchange.send(data)
        exchange.finish()
        var ends = 0
        for await event in events {
            switch event {
            case .progress(let received, let expected):
                #expect(ends == 0)
                #expect(received == Int64(data.count))
                #expect(expected == Int64(data.count))
            case .finished(let result):
                ends += 1
                #expect(result.isSuccess)
            }
        }
        #expect(ends == 1)
    }

    @Test func aManagerLetsItsLoadsGo() async throws {
        let transport = StubTransport()
        weak var watched: ImageManager?
        do {
            let manager = manager(transport)
            watched = manager
            manager.load(url).cancel()
        }
        #expect(watched == nil)
    }
}
