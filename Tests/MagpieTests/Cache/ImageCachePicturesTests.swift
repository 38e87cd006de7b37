import Foundation
import MagpieImage
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite(.timeLimit(.minutes(1))) struct ImageCachePicturesTests {
    private let folder: TemporaryFolder
    private let cache: ImageCache
    private let key = ImageCacheKey(source: "http://h/a.png")

    init() throws {
        folder = try TemporaryFolder()
        cache = ImageCache(name: "c", folder: folder.url)
    }

    private var png: Data {
        get throws { try ImageCoders.shared.encode(TestPicture.image().bitmap, as: .png) }
    }

    @Test func whatWasStoredIsInBothParts() async throws {
        await cache.store(try TestPicture.image(), data: CachedData(key: "ignored", data: try png), for: key)
        #expect(await cache.contains(key) == .memory)
        #expect(await cache.contains(key, in: .disk) == .disk)
        #expect(await cache.query(key)?.type == .memory)
        #expect(await cache.query(key)?.data == nil)
        #expect(await cache.query(key, options: .queryMemoryData)?.data?.data == (try png))
        cache.clearMemory()
        #expect(await cache.query(key, in: .memory) == nil)
        let found = try #require(await cache.query(key))
        #expect(found.type == .disk)
        #expect(found.image != nil)
        // Decoded once, it is in memory.
        #expect(await cache.query(key)?.type == .memory)
    }

    @Test func aPartThatIsNotMeantIsLeftAlone() async throws {
        let image = try TestPicture.image()
        await cache.store(image, data: nil, for: key, in: .memory)
        #expect(await cache.contains(key, in: .disk) == [])
        await cache.store(nil, data: CachedData(key: "", data: try png), for: key, in: .disk)
        await cache.remove(key, from: .memory)
        #expect(await cache.contains(key) == .disk)
        #expect(await cache.query(key, options: .avoidMemoryStore)?.image != nil)
        #expect(await cache.contains(key, in: .memory) == [])
        await cache.clear(.disk)
        #expect(await cache.contains(key) == [])
    }

    @Test func anImageWithoutBytesIsEncoded() async throws {
        await cache.store(try TestPicture.image(), data: nil, for: key)
        cache.clearMemory()
        let found = try #require(await cache.query(key))
        #expect(found.image?.width == (try TestPicture.image().width))
        #expect(found.data.map { ImageFormat.detect($0.data) } == .some(try TestPicture.image().format))
    }

    @Test func aThumbnailIsMadeOfTheWholePicture() async throws {
        await cache.store(nil, data: CachedData(key: "", data: try png), for: key, in: .disk)
        let small = ImageCacheKey(source: key.source, thumbnail: .init(size: PixelSize(width: 2, height: 2)))
        let found = try #require(await cache.query(small))
        #expect(found.image.map { max($0.width, $0.height) } == 2)
        #expect(await cache.contains(small, in: .disk) == [])
        #expect(await cache.contains(key, in: .memory) == [])
        // What a transformer would make of it, the cache cannot know.
        #expect(await cache.query(ImageCacheKey(source: key.source, transformerKey: "K")) == nil)
    }

    @Test func theBlockingFormsDoTheSame() throws {
        #expect(cache.storeAndWait(try TestPicture.image(), data: CachedData(key: "", data: try png), for: key))
        #expect(cache.containsAndWait(key) == .memory)
        cache.clearMemory()
        #expect(cache.queryAndWait(key)?.type == .disk)
        #expect(cache.dataAndWait(for: key.source)?.data == (try png))
        cache.removeAndWait(key)
        #expect(cache.containsAndWait(key) == [])
        #expect(!cache.storeAndWait(nil, for: key))
    }

    @Test func bytesThatAreNoPictureAreFoundAsBytes() async {
        await cache.store(nil, data: CachedData(key: "", data: Data("text".utf8)), for: key, in: .disk)
        let found = await cache.query(key)
        #expect(found?.image == nil)
        #expect(found?.data?.data == Data("text".utf8))
    }

    @Test func theApplicationsEventsFreeMemoryAndDisk() async throws {
        let disk = DiskCache(folder: folder.url.appendingPathComponent("d"), maximumAge: .zero)
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        await cache.store(try TestPicture.image(), data: CachedData(key: "", data: try png), for: key)
        cache.respond(to: .didReceiveMemoryWarning)
        #expect(await cache.contains(key) == .disk)
        cache.respond(to: .willTerminate)
        #expect(await cache.contains(key) == [])
        #expect(await cache.diskUsage() == (0, 0))
    }
}
