import Foundation
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite struct MemoryPressureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name), options: .atomic)
    }

    private var files: MemoryPressureFiles {
        let path = folder.url.path
        return MemoryPressureFiles(pressure: path + "/pressure", controlGroup: path, meminfo: path + "/meminfo")
    }

    private func stalls(some: Double, full: Double) -> String {
        """
        some avg10=\(some) avg60=0.00 avg300=0.00 total=0
        full avg10=\(full) avg60=0.00 avg300=0.00 total=0

        """
    }

    @Test func stallsTellTheLevel() throws {
        for (some, full, level) in [(0.0, 0.0, MemoryPressureLevel.normal), (12, 1, .warning), (40, 9, .critical)] {
            try write(stalls(some: some, full: full), to: "pressure")
            #expect(files.read()?.level == level)
            #expect(files.read()?.source == .pressureStall)
        }
    }

    @Test func theControlGroupCountsBesideTheSystem() throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        try write(stalls(some: 50, full: 0), to: "memory.pressure")
        #expect(files.read()?.level == .warning)
    }

    @Test func withoutStallsTheUseOfTheControlGroupTells() throws {
        try write("950\n", to: "memory.current")
        try write("max\n", to: "memory.high")
        try write("1000\n", to: "memory.max")
        #expect(files.read()?.level == .warning)
        #expect(files.read()?.source == .controlGroup)
        try write("980\n", to: "memory.high")
        try write("975\n", to: "memory.current")
        #expect(files.read()?.level == .critical)
        // Idle pages of files are no pressure.
        try write("anon 500\ninactive_file 400\n", to: "memory.stat")
        #expect(files.read()?.level == .normal)
    }

    @Test func withoutALimitTheSystemsMemoryTells() throws {
        try write("950\n", to: "memory.current")
        try write("max\n", to: "memory.max")
        try write("MemTotal:       1000 kB\nMemFree:   10 kB\nMemAvailable:    80 kB\n", to: "meminfo")
        #expect(files.read()?.level == .warning)
        #expect(files.read()?.source == .meminfo)
    }

    @Test(arguments: ["", "some", "some avg10=x", "MemTotal: 0 kB\nMemAvailable: 0 kB", "MemTotal: many"])
    func filesThatMakeNoSenseTellNothing(text: String) throws {
        for name in ["pressure", "memory.current", "memory.max", "meminfo"] { try write(text, to: name) }
        #expect(files.read() == nil)
        let monitor = MemoryPressureMonitor(files: files)
        #expect(monitor.source == nil)
        #expect(monitor.level == .normal)
    }

    @Test func changesAreTold() async throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        let monitor = MemoryPressureMonitor(files: files, interval: .milliseconds(5))
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == .normal)
        try write(stalls(some: 30, full: 0), to: "pressure")
        #expect(await changes.next() == .warning)
        try write(stalls(some: 30, full: 20), to: "pressure")
        #expect(await changes.next() == .critical)
        try write(stalls(some: 0, full: 0), to: "pressure")
        #expect(await changes.next() == .normal)
    }

    @Test func anObserverThatEndsIsToldNothingMore() async throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        let monitor = MemoryPressureMonitor(files: files, interval: .milliseconds(5))
        let ended = Recorder<MemoryPressureLevel>()
        let told = Recorder<MemoryPressureLevel>()
        monitor.observe { ended.record($0) }.cancel()
        let observation = monitor.observe { told.record($0) }
        try write(stalls(some: 30, full: 0), to: "pressure")
        #expect(await told.elements(1) == [.warning])
        #expect(ended.elements.isEmpty)
        observation.cancel()
    }

    @Test func aFileThatIsNotTheKernelsIsNeverWrittenTo() throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        #expect(MemoryPressureTrigger.open(files.pressure).isEmpty)
        #expect(try String(contentsOfFile: files.pressure, encoding: .utf8) == stalls(some: 0, full: 0))
    }

    @Test func theKernelsWordCountsBeforeTheAveragesRise() async throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        // Urgent data of a connection is what a test can raise POLLPRI with.
        let pair = try UrgentPair()
        let monitor = MemoryPressureMonitor(files: files, interval: .seconds(3600)) {
            [MemoryPressureTrigger(descriptor: pair.reader, level: .critical)]
        }
        let told = Recorder<MemoryPressureLevel>()
        let observation = monitor.observe { told.record($0) }
        pair.raise()
        #expect(await told.elements(1) == [.critical])
        observation.cancel()
    }

    @Test func aCacheThatFollowsGivesMemoryBack() async throws {
        try write(stalls(some: 0, full: 0), to: "pressure")
        let cache = MemoryCache()
        cache.store(try TestPicture.image(), for: ImageCacheKey(source: "a"))
        let monitor = MemoryPressureMonitor(files: files, interval: .milliseconds(5))
        cache.follow(monitor)
        let told = Recorder<MemoryPressureLevel>()
        try write(stalls(some: 90, full: 90), to: "pressure")
        let observation = monitor.observe { told.record($0) }
        while cache.count > 0 { await Task.yield() }
        observation.cancel()
        #expect(cache.totalCost == 0)
    }
}
