import Foundation

/// Prints outcomes, as a table for people or as one JSON object a line.
struct BenchmarkReport {
    let isJSON: Bool

    func begin(_ row: BenchmarkRow) {
        if !isJSON { print("\n\(row.name): \(row.summary)") }
    }

    func skip(_ row: BenchmarkRow, because reason: String) {
        if isJSON {
            printObject(["row": row.name, "skipped": reason])
        } else {
            print("\n\(row.name): skipped, \(reason)")
        }
    }

    func show(_ outcomes: [BenchmarkRunner.Outcome], of row: BenchmarkRow) {
        for outcome in outcomes {
            if isJSON {
                showObject(outcome, of: row)
            } else {
                showLine(outcome, of: row)
            }
        }
    }

    private func showLine(_ outcome: BenchmarkRunner.Outcome, of row: BenchmarkRow) {
        let name = outcome.name.padding(toLength: 24, withPad: " ", startingAt: 0)
        let value = Self.text(outcome.median)
        let ratio = outcome.ratio.map { "\(Self.text($0, digits: 2)) x \(row.reference)" } ?? "-"
        let memory = outcome.peakMegabytes.map { "peak \(Self.text($0, digits: 1)) MB" } ?? ""
        print("  \(name) \(value) \(row.unit)   \(ratio)   \(memory)")
    }

    private func showObject(_ outcome: BenchmarkRunner.Outcome, of row: BenchmarkRow) {
        var object: [String: Any] = [
            "row": row.name, "contender": outcome.name, "median": outcome.median, "unit": row.unit,
            "reference": row.reference,
        ]
        if let ratio = outcome.ratio { object["ratio"] = ratio }
        if let peak = outcome.peakMegabytes { object["peak_mb"] = peak }
        printObject(object)
    }

    private func printObject(_ object: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else { return }
        print(String(decoding: data, as: UTF8.self))
    }

    private static func text(_ value: Double, digits: Int? = nil) -> String {
        let digits = digits ?? (value >= 100 ? 0 : value >= 1 ? 2 : 5)
        return String(format: "%.\(digits)f", value)
    }
}
