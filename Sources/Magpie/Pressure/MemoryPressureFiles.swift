import Foundation

/// The files of Linux in which memory pressure can be read; the first that can be is used.
public struct MemoryPressureFiles: Sendable, Hashable {
    /// Where the pressure is read from.
    public enum Source: Sendable, Hashable {
        /// Pressure stall information of the whole system, or of the control group.
        case pressureStall
        /// The memory use of the control group beside its limit.
        case controlGroup
        /// The memory available beside all there is.
        case meminfo
    }

    /// Pressure stall information (the kernel's Documentation/accounting/psi.rst).
    public var pressure: String

    /// The folder of this process's control group, version 2; nil when there is none.
    public var controlGroup: String?

    /// The system's memory (proc_meminfo(5)).
    public var meminfo: String

    /// These files.
    public init(pressure: String, controlGroup: String?, meminfo: String) {
        self.pressure = pressure
        self.controlGroup = controlGroup
        self.meminfo = meminfo
    }

    /// The files of this system, for this process.
    public static var system: MemoryPressureFiles {
        // The line of version 2 begins with "0::" (cgroups(7)).
        let groups = text(of: "/proc/self/cgroup") ?? ""
        let path = groups.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3)
        return MemoryPressureFiles(
            pressure: "/proc/pressure/memory",
            controlGroup: path.map { "/sys/fs/cgroup" + $0 },
            meminfo: "/proc/meminfo"
        )
    }

    /// The files that tell of stalls, those of the control group first: it may be short where the system is not.
    var pressureFiles: [String] {
        [controlGroup.map { $0 + "/memory.pressure" }, pressure].compactMap(\.self)
    }

    /// The level that the files tell of now, and which of them did; nil when none can be read.
    func read() -> (level: MemoryPressureLevel, source: Source)? {
        let stalls = pressureFiles.compactMap { Self.text(of: $0).flatMap(Self.level(ofStalls:)) }.max()
        if let stalls { return (stalls, .pressureStall) }
        if let use = controlGroupUse { return (Self.level(ofUse: use), .controlGroup) }
        return Self.text(of: meminfo).flatMap(Self.use(ofMeminfo:)).map { (Self.level(ofUse: $0), .meminfo) }
    }

    /// The level of averages over ten seconds: warning when some program waited for a tenth of the time, critical when
    /// all of them did for a twentieth.
    static func level(ofStalls text: String) -> MemoryPressureLevel? {
        var averages: [Substring: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let average = words.first { $0.hasPrefix("avg10=") }?.dropFirst("avg10=".count)
            if let kind = words.first, let average { averages[kind] = Double(average) }
        }
        guard let some = averages["some"] else { return nil }
        if averages["full", default: 0] >= 5 { return .critical }
        return some >= 10 ? .warning : .normal
    }

    /// The level of a part of the memory that is in use.
    static func level(ofUse use: Double) -> MemoryPressureLevel {
        use >= 0.97 ? .critical : use >= 0.9 ? .warning : .normal
    }

    /// The part of the system's memory that is not available to programs.
    static func use(ofMeminfo text: String) -> Double? {
        func kilobytes(_ name: String) -> Double? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        }
        guard let total = kilobytes("MemTotal"), let available = kilobytes("MemAvailable"), total > 0 else {
            return nil
        }
        return 1 - available / total
    }

    /// The part of the control group's memory that is in use, of that which it may not exceed or is slowed above.
    private var controlGroupUse: Double? {
        guard let controlGroup else { return nil }
        // Without a limit, a file says "max", which is no number.
        func bytes(_ name: String) -> Double? {
            Self.text(of: controlGroup + "/" + name).flatMap {
                Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        guard let current = bytes("memory.current"), let limit = ["memory.high", "memory.max"].compactMap(bytes).min(),
            limit > 0
        else { return nil }
        // Pages of files that nobody has used of late are given up first, and cost nobody anything.
        let statistics = Self.text(of: controlGroup + "/memory.stat") ?? ""
        let line = statistics.split(separator: "\n").first { $0.hasPrefix("inactive_file ") }
        let spare = line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
        return max(0, current - spare) / limit
    }

    private static func text(of path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
