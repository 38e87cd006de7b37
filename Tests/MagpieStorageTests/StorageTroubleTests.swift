import Foundation
import MagpieTestSupport
import Testing

@testable import MagpieStorage

/// What befalls a folder while a store uses it.
@Suite(.timeLimit(.minutes(1))) struct StorageTroubleTests {
    private let folder: TemporaryFolder
    private var location: URL { folder.url.appendingPathComponent("store") }
    private var outside: URL { folder.url.appendingPathComponent("outside") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func contents(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    @Test func aDeletedFolderIsMadeAgain() throws {
        let store = BlobStore(folder: location)
        store.write(Data([1]), for: "a")
        store.flush()
        try FileManager.default.removeItem(at: location)
        #expect(store.blob(for: "a") == nil)
        #expect(store.totals == .init(count: 0, size: 0))
        store.remove("a")
        store.trim()
        #expect(store.write(Data([2]), for: "a"))
        #expect(store.blob(for: "a")?.data == Data([2]))
        #expect(store.totals.count == 1)
    }

    @Test func aLinkInTheFoldersPlaceIsNotFollowed() throws {
        let store = BlobStore(folder: location)
        store.write(Data([1]), for: "a")
        store.flush()
        try folder.write(Data("mine".utf8), to: "outside/" + BlobName(key: "a").fileName)
        try folder.write(Data("mine".utf8), to: "outside/index.sqlite")
        let before = try contents(outside)
        try FileManager.default.moveItem(at: location, to: folder.url.appendingPathComponent("moved"))
        try FileManager.default.createSymbolicLink(at: location, withDestinationURL: outside)
        for store in [store, BlobStore(folder: location)] {
            #expect(!store.write(Data([2]), for: "b"))
            store.remove("a")
            store.removeAll()
            store.trim()
            #expect(store.totals.count == 0)
            _ = store.verify()
            #expect(store.entries().isEmpty)
        }
        #expect(try contents(outside) == before)
        for name in before {
            #expect(try Data(contentsOf: outside.appendingPathComponent(name)) == Data("mine".utf8))
        }
    }

    @Test func linksInsideAreNotFollowed() throws {
        let letter = try folder.write(Data("mine".utf8), to: "letter")
        let names = [
            BlobName(key: "a").fileName, "index.sqlite", "index.sqlite-wal", "CACHEDIR.TAG", ".journals",
        ]
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.createSymbolicLink(
                at: location.appendingPathComponent(name),
                withDestinationURL: letter
            )
        }
        let store = BlobStore(folder: location)
        #expect(store.blob(for: "a") == nil)
        #expect(store.write(Data([1]), for: "a"))
        #expect(store.blob(for: "a")?.data == Data([1]))
        #expect(store.totals.count == 1)
        _ = store.verify()
        store.removeAll()
        #expect(store.totals.count == 0)
        #expect(try Data(contentsOf: letter) == Data("mine".utf8))
    }

    @Test func foreignFilesAreLeftAlone() throws {
        let store = BlobStore(folder: location)
        store.write(Data([1]), for: "a")
        let foreign = ["letter.txt", "0123456789abcdef0123456789abcdef", "0123.magpie", ".hidden", "x.tmp"]
        for name in foreign { try folder.write(Data("mine".utf8), to: "store/" + name) }
        _ = store.verify()
        store.removeAll()
        #expect(store.totals.count == 0)
        for name in foreign {
            #expect(try Data(contentsOf: location.appendingPathComponent(name)) == Data("mine".utf8))
        }
    }

    @Test func aFileInTheFoldersPlaceCostsTheEntryOnly() throws {
        try folder.write(Data(), to: "store")
        let store = BlobStore(folder: location)
        #expect(!store.write(Data([1]), for: "a"))
        #expect(store.blob(for: "a") == nil)
        #expect(store.totals.count == 0)
        store.removeAll()
        #expect(BlobStore(folder: location.appendingPathComponent("below")).writer(for: "a") == nil)
    }

    @Test(.enabled(if: TestMount.isAllowed, "only who may mount can make a folder read-only for everybody"))
    func aReadOnlyFolderIsRead() throws {
        let store = BlobStore(folder: location)
        store.write(Data([1]), for: "a")
        store.flush()
        let mount = try TestMount(readOnly: location)
        defer { withExtendedLifetime(mount) {} }
        // One that holds the folder open from before goes on with it; this one finds it as it is now.
        let reader = BlobStore(folder: location)
        #expect(!reader.write(Data([2]), for: "b"))
        reader.remove("a")
        #expect(reader.blob(for: "a")?.data == Data([1]))
    }

    @Test(.enabled(if: TestMount.isAllowed, "only who may mount can make a small file system"))
    func aFullDiskCostsEntriesOnly() throws {
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        let mount = try TestMount(at: location, megabytes: 20)
        defer { withExtendedLifetime(mount) {} }
        let store = BlobStore(folder: location.appendingPathComponent("cache"))
        let bytes = Data(repeating: 7, count: 500_000)
        let kept = (0..<60).filter { store.write(bytes, for: "\($0)") }
        #expect((30..<45).contains(kept.count))
        for number in 0..<60 {
            let blob = store.blob(for: "\(number)")
            #expect(kept.contains(number) ? blob?.data == bytes : blob == nil)
        }
        store.flush()
        // Room is made by trimming, even where there is none for the index.
        store.limits.maximumSize = 10_000_000
        store.trim()
        #expect(store.verify().totals.size < 10_000_000)
        #expect(store.write(bytes, for: "new"))
        #expect(store.totals == store.verify().totals)
    }

    @Test(arguments: ["DROP TABLE totals", "DELETE FROM totals", "DROP TABLE entries"])
    func anIndexWithoutItsTablesIsMadeAnew(damage: String) throws {
        let store = BlobStore(folder: location, limits: BlobLimits(maximumSize: 2000, lowWaterMark: 0.5))
        for number in 0..<3 { store.write(Data(count: 100), for: "\(number)") }
        store.flush()
        let before = store.totals
        do {
            // Closed again, since an open index is locked.
            let index = try SQLiteConnection(path: location.appendingPathComponent("index.sqlite").path)
            try index.execute(damage)
        }
        #expect(before.count == 3)
        #expect(store.totals == before)
        #expect(BlobStore(folder: location).verify().totals == before)
        // What outgrows the limit is trimmed again.
        for number in 0..<20 { store.write(Data(count: 100), for: "\(number)") }
        #expect(store.totals.size <= 2000)
    }

    @Test func notesForAnIndexThatCannotBeOpenedAreBounded() throws {
        let place = location.appendingPathComponent("index.sqlite/occupied")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let store = BlobStore(folder: location)
        for number in 0..<5000 { store.touch("\(number)") }
        for number in 0..<20 { store.write(Data([1]), for: "\(number)") }
        store.flush()
        #expect(store.keeper.waitingUses < 5000)
        try FileManager.default.removeItem(at: place.deletingLastPathComponent())
        #expect(store.totals.count == 20)
    }

    @Test func processesThatAreKilledLeaveNothingTorn() throws {
        let stress = try #require(Self.stressProgram)
        let output = try run(stress, "rounds", "12", location.path)
        #expect(output.contains(" 0 wrong"), "\(output)")
        #expect(output.contains("0 times after verifying"), "\(output)")
    }

    /// The built program, which lies beside the bundle of the tests.
    private static var stressProgram: String? {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        let tests = bundle ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("StorageStress").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    @discardableResult
    private func run(_ program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
