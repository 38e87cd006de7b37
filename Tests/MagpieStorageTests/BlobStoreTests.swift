import Foundation
import Glibc
import MagpieTestSupport
import Testing

@testable import MagpieStorage

@Suite(.timeLimit(.minutes(1))) struct BlobStoreTests {
    private let folder: TemporaryFolder
    private var location: URL { folder.url.appendingPathComponent("store") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ limits: BlobLimits = BlobLimits(), readOnlyFolders: [URL] = []) -> BlobStore {
        BlobStore(folder: location, limits: limits, readOnlyFolders: readOnlyFolders)
    }

    private func bytes(_ count: Int, _ byte: UInt8 = 7) -> Data {
        Data(repeating: byte, count: count)
    }

    private func file(_ key: String) -> URL {
        location.appendingPathComponent(BlobName(key: key).fileName)
    }

    private func size(_ key: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: file(key).path)[.size] as? Int)
    }

    private func exists(_ key: String) -> Bool {
        FileManager.default.fileExists(atPath: file(key).path)
    }

    /// Makes an entry look as if it had last been used and written that long ago.
    private func age(_ key: String, seconds: Double, in store: BlobStore) throws {
        store.flush()
        let moment = Int(Date().timeIntervalSince1970 - seconds)
        let times = [timespec(tv_sec: moment, tv_nsec: 0), timespec(tv_sec: moment, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, file(key).path, times, 0) == 0)
        store.keeper.didChange(BlobName(key: key), growth: 0)
        store.flush()
    }

    // MARK: - Reading and writing

    @Test(arguments: [0, 1, 31, 1000, 1 << 18, (1 << 20) + 1, 3_000_000])
    func whatWasWrittenComesBackWhole(count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(store().write(data, metadata: Data([1, 2, 3]), for: "http://h/ü"))
        // Another instance, as another process would.
        let blob = try #require(store().blob(for: "http://h/ü"))
        #expect(blob.data == data)
        #expect(blob.data.startIndex == 0)
        #expect(blob.metadata == Data([1, 2, 3]))
        #expect(store().blob(for: "http://h/u") == nil)
        let reader = try #require(store().reader(for: "http://h/ü"))
        #expect(reader.length == count)
        #expect(reader.metadata == Data([1, 2, 3]))
        #expect(reader.bytes(at: count / 2, count: 100) == data.dropFirst(count / 2).prefix(100))
        #expect(reader.bytes(at: count, count: 100) == Data())
    }

    @Test func aBlobWrittenInPartsAppearsWhenItIsWhole() throws {
        let store = store()
        let writer = try #require(store.writer(for: "a"))
        #expect(writer.append(Data("one ".utf8)))
        #expect(!store.contains("a"))
        #expect(writer.append(Data("two".utf8)))
        #expect(store.blob(for: "a") == nil)
        #expect(writer.commit(metadata: Data("m".utf8)))
        #expect(store.blob(for: "a")?.data == Data("one two".utf8))
        #expect(!writer.append(Data([1])))
        #expect(!writer.commit())
    }

    @Test func aWriterThatIsLetGoLeavesNothing() throws {
        let store = store()
        store.write(bytes(10), for: "a")
        store.writer(for: "a")?.append(bytes(1000))
        let cancelled = try #require(store.writer(for: "b"))
        cancelled.append(bytes(1000))
        cancelled.cancel()
        #expect(store.blob(for: "a")?.data == bytes(10))
        #expect(!store.contains("b"))
        let names = try FileManager.default.contentsOfDirectory(atPath: location.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test func aReaderIsNotDisturbedByWhatReplacesItsBlob() throws {
        let store = store()
        store.write(bytes(100_000, 1), for: "a")
        let reader = try #require(store.reader(for: "a"))
        store.write(bytes(10, 2), for: "a")
        store.removeAll()
        #expect(reader.bytes(at: 0, count: 100_000) == bytes(100_000, 1))
    }

    @Test func everyDamageIsFoundAndTheFileRemoved() throws {
        let store = store()
        store.write(Data((0..<40).map { $0 }), metadata: Data([1, 2]), for: "a")
        let whole = try Data(contentsOf: file("a"))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            try damaged.write(to: file("a"))
            if index.isMultiple(of: 2) {
                #expect(store.blob(for: "a") == nil, "byte \(index)")
            } else {
                #expect(store.reader(for: "a") == nil, "byte \(index)")
            }
            #expect(!exists("a"))
        }
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: file("a"))
            #expect(store.blob(for: "a") == nil, "cut to \(length) bytes")
        }
        try whole.write(to: file("a"))
        #expect(store.blob(for: "a")?.data.count == 40)
    }

    @Test func aFileUnderTheNameOfAnotherKeyIsNotServed() throws {
        let store = store()
        store.write(bytes(10), for: "a")
        try FileManager.default.moveItem(at: file("a"), to: file("b"))
        #expect(store.blob(for: "b") == nil)
        #expect(!exists("b"))
    }

    @Test func aHugeFileOfNothingTakesNoMemory() throws {
        let store = store()
        store.write(bytes(10), for: "a")
        #expect(truncate(file("a").path, 1 << 40) == 0)
        #expect(store.blob(for: "a") == nil)
        #expect(!exists("a"))
    }

    @Test func readOnlyFoldersAreAskedAndLeftAlone() throws {
        let other = BlobStore(folder: folder.url.appendingPathComponent("other"))
        other.write(bytes(10, 1), for: "a")
        other.write(bytes(10, 2), for: "b")
        let damaged = other.url.appendingPathComponent(BlobName(key: "b").fileName)
        try Data("damaged".utf8).write(to: damaged)
        let store = store(readOnlyFolders: [other.url])
        #expect(store.blob(for: "a")?.data == bytes(10, 1))
        #expect(store.contains("a"))
        #expect(store.blob(for: "b") == nil)
        store.remove("a")
        store.removeAll()
        #expect(other.contains("a"))
        #expect(FileManager.default.fileExists(atPath: damaged.path))
    }

    // MARK: - Accounting

    @Test func anOverwrittenEntryIsCountedOnce() throws {
        let store = store()
        #expect(store.totals == .init(count: 0, size: 0))
        store.write(bytes(1000), for: "a")
        store.write(bytes(500), for: "a")
        store.write(bytes(10), for: "b")
        #expect(store.totals == .init(count: 2, size: try size("a") + size("b")))
        store.write(bytes(2000), for: "a")
        #expect(store.totals == .init(count: 2, size: try size("a") + size("b")))
        store.remove("b")
        store.remove("never")
        #expect(store.totals == .init(count: 1, size: try size("a")))
        store.removeAll()
        #expect(store.totals == .init(count: 0, size: 0))
    }

    @Test func severalStoresOnOneFolderCountTheSame() throws {
        let (one, two) = (store(), store())
        one.write(bytes(100), for: "a")
        two.write(bytes(200), for: "a")
        one.write(bytes(100), for: "b")
        two.remove("b")
        two.write(bytes(300), for: "c")
        one.flush()
        two.flush()
        let expected = BlobStore.Totals(count: 2, size: try size("a") + size("c"))
        #expect(one.totals == expected)
        #expect(two.totals == expected)
    }

    @Test func whatAProcessDidNotTellTheIndexIsLearntFromItsJournal() throws {
        do {
            let store = store()
            store.write(bytes(100), for: "known")
            store.flush()
        }
        // A journal that nobody has locked is that of a process that is gone.
        let directory = try #require(StoreDirectory(path: location.path))
        do {
            let other = BlobStore(folder: folder.url.appendingPathComponent("other"))
            other.write(bytes(100), for: "unheard")
            try FileManager.default.copyItem(
                at: other.url.appendingPathComponent(BlobName(key: "unheard").fileName),
                to: file("unheard")
            )
        }
        try FileManager.default.removeItem(at: file("known"))
        try Data("half".utf8).write(to: location.appendingPathComponent(".gone-1.tmp"))
        try Data("half".utf8).write(to: location.appendingPathComponent(".alive-1.tmp"))
        var records = Data()
        for name in [BlobName(key: "known"), BlobName(key: "unheard")] {
            for half in [name.high, name.low] { withUnsafeBytes(of: half) { records.append(contentsOf: $0) } }
        }
        let journal = location.appendingPathComponent(".journals/gone")
        try records.write(to: journal)
        #expect(store().totals == .init(count: 1, size: try size("unheard")))
        #expect(!FileManager.default.fileExists(atPath: journal.path))
        let names = directory.names().filter { $0.hasSuffix(".tmp") }
        #expect(names == [".alive-1.tmp"])
    }

    @Test func aJournalIsGoneWhenAllIsWritten() async throws {
        do {
            let store = store()
            for number in 0..<10 { store.write(bytes(10), for: "\(number)") }
            let journals = try FileManager.default.contentsOfDirectory(atPath: location.path + "/.journals")
            #expect(journals.count == 1)
            let path = location.path + "/.journals/" + (journals.first ?? "")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 160)
            store.flush()
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
        }
        #expect(
            try await eventually {
                try FileManager.default.contentsOfDirectory(atPath: location.path + "/.journals").isEmpty
            }
        )
    }

    // MARK: - Trimming

    @Test func whatWasUsedLongestAgoLeavesAsTheStoreGrows() throws {
        let store = store(BlobLimits(maximumSize: 10_000))
        for number in 0..<8 {
            store.write(bytes(1000), for: "\(number)")
            try age("\(number)", seconds: Double(1000 - number), in: store)
        }
        #expect(store.blob(for: "0") != nil)
        for number in 8..<12 { store.write(bytes(1000), for: "\(number)") }
        #expect(store.totals.size <= 10_000)
        #expect(store.contains("0"))
        #expect(!store.contains("1"))
        #expect(store.contains("11"))
    }

    @Test func trimmingLeavesLessThanHalfOfTheLimit() throws {
        let store = store()
        for number in 0..<10 {
            store.write(bytes(1000), for: "\(number)")
            try age("\(number)", seconds: Double(100 - number), in: store)
        }
        let one = try size("0")
        store.limits.maximumSize = 10 * one
        #expect(store.trim() == .init(count: 0, size: 0))
        store.limits.maximumSize = 10 * one - 1
        // Half of it is a byte less than five entries.
        #expect(store.trim() == .init(count: 6, size: 6 * one))
        #expect(store.totals == .init(count: 4, size: 4 * one))
        for number in 0..<10 { #expect(store.contains("\(number)") == (number >= 6)) }
    }

    @Test func anEntryLargerThanTheLimitLeaves() {
        let store = store()
        store.write(bytes(20), for: "a")
        store.limits.maximumSize = 10
        store.trim()
        #expect(store.totals.count == 0)
    }

    @Test(arguments: BlobDate.allCases)
    func whatIsTooOldLeaves(kind: BlobDate) throws {
        let store = store(BlobLimits(maximumAge: .seconds(100), expiry: kind))
        store.write(bytes(10), for: "new")
        store.write(bytes(10), for: "old")
        let name = BlobName(key: "old")
        if kind == .creation {
            // The index heard of the entry when it was old.
            store.flush()
            try FileManager.default.removeItem(at: location.appendingPathComponent("index.sqlite"))
        }
        try age("old", seconds: 101, in: kind == .creation ? self.store() : store)
        if kind == .change {
            // Nobody can set this date.
            #expect(store.trim().count == 0)
            store.limits.maximumAge = .zero
            #expect(store.trim().count == 2)
            return
        }
        let again = self.store(store.limits)
        #expect(again.trim().count == 1)
        #expect(again.contains("new"))
        #expect(StoreDirectory(path: location.path)?.status(of: name) == nil)
    }

    @Test func ageZeroExpiresEverythingAndNoAgeNothing() throws {
        let store = store(BlobLimits(maximumAge: .zero))
        store.write(bytes(10), for: "a")
        store.trim()
        #expect(store.totals.count == 0)
        store.limits.maximumAge = nil
        store.write(bytes(10), for: "a")
        try age("a", seconds: 1e9, in: store)
        store.trim()
        store.limits.maximumAge = .seconds(-1)
        store.trim()
        #expect(store.totals.count == 1)
    }

    @Test func whatWasUsedSinceTheIndexHeardOfItStays() throws {
        let store = store(BlobLimits(maximumAge: .seconds(100)))
        store.write(bytes(10), for: "a")
        try age("a", seconds: 1000, in: store)
        // Another process used it and has not told the index.
        let times = [timespec(tv_sec: time(nil), tv_nsec: 0), .unchanged]
        #expect(utimensat(AT_FDCWD, file("a").path, times, 0) == 0)
        store.trim()
        #expect(store.contains("a"))
    }

    @Test func filesThatSomebodyElseRemovedAreNoLongerCounted() throws {
        let store = store(BlobLimits(maximumSize: 5000))
        for number in 0..<5 {
            store.write(bytes(900), for: "\(number)")
            try age("\(number)", seconds: Double(100 - number), in: store)
        }
        try FileManager.default.removeItem(at: file("0"))
        store.limits.maximumSize = 4000
        store.trim()
        #expect(store.totals == .init(count: 2, size: try size("3") + size("4")))
    }

    // MARK: - Verifying

    @Test func verifyRemovesWhatIsDamagedAndCorrectsTheIndex() throws {
        let store = store()
        for number in 0..<6 { store.write(bytes(100), for: "\(number)") }
        store.flush()
        try Data("damaged".utf8).write(to: file("0"))
        try FileManager.default.removeItem(at: file("1"))
        try FileManager.default.moveItem(at: file("2"), to: file("x"))
        let report = store.verify()
        #expect(report.checked == 5)
        #expect(report.damaged == 2)
        #expect(!report.isIndexRebuilt)
        #expect(report.totals == .init(count: 3, size: try size("3") * 3))
        #expect(store.totals == report.totals)
        let second = store.verify()
        #expect(second.damaged == 0 && second.corrected == 0 && second.checked == 3)
    }

    @Test func aRunningCacheSurvivesTheLossOfItsIndex() throws {
        let store = store()
        for number in 0..<6 { store.write(bytes(100), for: "\(number)") }
        #expect(store.totals.count == 6)
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
            try? FileManager.default.removeItem(at: location.appendingPathComponent(name))
        }
        #expect(store.blob(for: "3") != nil)
        store.write(bytes(100), for: "6")
        #expect(self.store().totals.count == 7)
        #expect(self.store().verify().totals.count == 7)
    }

    @Test(arguments: ["index.sqlite", "index.sqlite-wal"])
    func aDamagedIndexIsMadeAnew(name: String) throws {
        do {
            let store = store()
            for number in 0..<200 { store.write(bytes(10), for: "\(number)") }
            #expect(store.totals.count == 200)
        }
        let index = location.appendingPathComponent(name)
        let whole = try Data(contentsOf: index)
        var damages = [
            Data("no database at all".utf8), Data(), whole.prefix(whole.count / 2), Data(count: whole.count),
        ]
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<8 {
            var flipped = whole
            guard !flipped.isEmpty else { break }
            for _ in 0..<20 { flipped[Int.random(in: 0..<flipped.count, using: &generator)] ^= 0xA5 }
            damages.append(flipped)
        }
        for damage in damages {
            try damage.write(to: index)
            let store = store()
            #expect(store.blob(for: "7")?.data == bytes(10))
            store.write(bytes(10), for: "7")
            #expect(store.verify().totals.count == 200)
            #expect(store.totals.count == 200)
        }
    }
}
