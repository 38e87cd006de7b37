import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite(.timeLimit(.minutes(1))) struct ImageCacheTests {
    /// A disk whose writes wait at a gate.
    private final class SlowDisk: DiskCaching {
        let gate = TestGate()
        let stored = Lock<[String: CachedData]>([:])
        let writes = Recorder<String>()

        func data(for key: String) -> CachedData? { stored.withLock { $0[key] } }
        func contains(_ key: String) -> Bool { data(for: key) != nil }
        func store(_ data: CachedData) -> Bool {
            writes.record(data.key)
            gate.block()
            stored.withLock { $0[data.key] = data }
            return true
        }
        func remove(_ key: String) { stored.withLock { $0[key] = nil } }
        func removeAll() { stored.withLock { $0 = [:] } }
        func removeExpired() {}
        func entries() -> [DiskCacheEntry] { [] }
    }

    private func entry(_ byte: UInt8) -> CachedData {
        CachedData(key: "a", data: Data([byte]))
    }

    @Test func bytesAreFoundBeforeTheyAreOnDisk() async {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        cache.store(entry(1))
        _ = await disk.writes.elements(1)
        #expect(disk.data(for: "a") == nil)
        #expect(await cache.data(for: "a")?.data == Data([1]))
        disk.gate.open()
        await cache.flush()
        #expect(disk.data(for: "a")?.data == Data([1]))
    }

    @Test func theLastBytesStoredAreThoseThatStay() async {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        cache.store(entry(1))
        _ = await disk.writes.elements(1)
        for byte in UInt8(2)...9 { cache.store(entry(byte)) }
        #expect(await cache.data(for: "a")?.data == Data([9]))
        disk.gate.open()
        await cache.flush()
        #expect(disk.data(for: "a")?.data == Data([9]))
        // The versions in between were never written.
        #expect(disk.writes.elements.count == 2)
    }

    @Test func bytesRemovedWhileTheyAreWrittenDoNotStay() async {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        cache.store(entry(1))
        _ = await disk.writes.elements(1)
        await cache.removeData(for: "a")
        disk.gate.open()
        await cache.flush()
        #expect(disk.data(for: "a") == nil)
        #expect(await cache.data(for: "a") == nil)
    }

    @Test func aBlockingStoreFollowsWhatIsBeingWritten() async throws {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        cache.store(entry(1))
        _ = await disk.writes.elements(1)
        let isStored = Recorder<Bool>()
        Thread.detachNewThread {
            isStored.record(cache.storeAndWait(nil, data: entry(2), for: ImageCacheKey(source: "a"), in: .disk))
        }
        while await cache.data(for: "a")?.data != Data([2]) { await Task.yield() }
        disk.gate.open()
        #expect(await isStored.elements(1) == [true])
        await cache.flush()
        #expect(disk.data(for: "a")?.data == Data([2]))
    }

    @Test func whatIsStagedIsOnDiskWhenTheApplicationEnds() async {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        for number in 0..<20 { cache.store(CachedData(key: "\(number)", data: Data([1]))) }
        _ = await disk.writes.elements(1)
        let ended = Recorder<Int>()
        Thread.detachNewThread {
            cache.respond(to: .willTerminate)
            ended.record(disk.stored.withLock { $0.count })
        }
        disk.gate.open()
        #expect(await ended.elements(1) == [20])
    }

    @Test func theSharedCacheHeedsTheSystemsMemory() {
        _ = ImageCache.shared
        #expect(MemoryPressureMonitor.shared.isObserved)
    }

    @Test func flushWaitsForWhatWasStoredBeforeAndNoMore() async {
        let disk = SlowDisk()
        let cache = ImageCache(memory: MemoryCache(), disk: disk)
        disk.gate.open()
        cache.store(entry(1))
        await cache.flush()
        #expect(disk.data(for: "a")?.data == Data([1]))
        // A writer that never rests holds nobody back.
        let writing = Task {
            while !Task.isCancelled {
                cache.store(CachedData(key: "busy", data: Data([2])))
                await Task.yield()
            }
        }
        cache.store(entry(3))
        await cache.flush()
        #expect(disk.data(for: "a")?.data == Data([3]))
        writing.cancel()
        await writing.value
        await cache.flush()
    }

    @Test func clearingLeavesTheOtherCacheAlone() async throws {
        let folder = try TemporaryFolder()
        let cache = ImageCache(name: "c", folder: folder.url)
        let key = ImageCacheKey(source: "a")
        cache.store(try TestPicture.image(), for: key)
        cache.store(entry(1))
        await cache.flush()
        cache.clearMemory()
        #expect(cache.image(for: key) == nil)
        #expect(await cache.data(for: "a") != nil)
        cache.store(try TestPicture.image(), for: key)
        await cache.clearDisk()
        #expect(await cache.data(for: "a") == nil)
        #expect(cache.image(for: key) != nil)
    }

    @Test func theStandardFolderIsTheUsersCacheFolder() {
        #expect(DiskCache.standardFolder.path.hasSuffix("/magpie"))
    }

    @Test func withoutADiskNothingIsKeptThere() async {
        let cache = ImageCache(memory: MemoryCache(), disk: nil)
        cache.store(entry(1))
        #expect(await cache.data(for: "a") == nil)
        await cache.flush()
        await cache.clearDisk()
    }
}
