import Foundation

/// Measures rows: some rounds, the order of the contenders alternated, medians, ratios, and peak memory.
struct BenchmarkRunner {
    /// What came out for one contender.
    struct Outcome {
        let name: String
        let median: Double
        /// How many times as good as the reference; above 1 is better.
        let ratio: Double?
        /// The peak resident memory of a process that did nothing but this, in megabytes.
        let peakMegabytes: Double?
    }

    let rounds: Int

    /// Measures the row and returns an outcome for each contender.
    func run(_ row: BenchmarkRow) async throws -> [Outcome] {
        let setting = try await row.setUp()
        defer { setting.end() }
        var measures: [String: [Double]] = [:]
        // Round 0 warms caches and connections, and is not counted.
        for round in 0...rounds {
            let order = round.isMultiple(of: 2) ? row.contenders : row.contenders.reversed()
            for contender in order {
                let measure = try await contender.measure(setting.context)
                if round > 0 { measures[contender.name, default: []].append(measure) }
            }
        }
        let reference = Self.median(measures[row.reference] ?? [])
        return try row.contenders.map { contender in
            let median = Self.median(measures[contender.name] ?? [])
            return Outcome(
                name: contender.name,
                median: median,
                ratio: Self.ratio(median, to: reference, isLargerBetter: row.isLargerBetter),
                peakMegabytes: try Self.peakOfChild(row: row.name, contender: contender.name, context: setting.context)
            )
        }
    }

    /// Does the work of one contender and prints the peak memory of this process in kilobytes; for child processes.
    static func runAlone(_ row: BenchmarkRow, contender: String, context: BenchmarkRow.Context) async throws {
        guard let contender = row.contenders.first(where: { $0.name == contender }) else { return }
        _ = try await contender.measure(context)
        print(max(peakKilobytes ?? 0, peakOfProgramsInKilobytes))
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    private static func ratio(_ value: Double, to reference: Double, isLargerBetter: Bool) -> Double? {
        guard value > 0, reference > 0 else { return nil }
        return isLargerBetter ? value / reference : reference / value
    }

    private static func peakOfChild(row: String, contender: String, context: BenchmarkRow.Context) throws -> Double? {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let pairs = context.map { "\($0.key)=\($0.value)" }
        process.arguments = ["--row", row, "--alone", contender] + pairs
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)).map { $0 / 1024 }
    }

    /// The peak resident size of the largest program that this process has started and waited for (getrusage(2)).
    private static var peakOfProgramsInKilobytes: Int {
        var usage = rusage()
        return getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 ? usage.ru_maxrss : 0
    }

    /// The peak resident size of this process (`VmHWM` of proc(5)), in kilobytes.
    private static var peakKilobytes: Int? {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }
}
