import Foundation

/// The rows, in the order of the table.
let allRows =
    HTTPThroughput.rows + LargeTransfers.rows + [JSONDecoding.row, MemoryHit.row] + MemoryCacheHits.rows
    + CacheHitRatio.rows
    + [DiskRead.row, DiskStore.row, DiskGrowth.openingRow, DiskGrowth.row, DiskTrim.row]
    + [ColdThumbnails.row, CommandThumbnail.row] + ImageDecoding.rows + ImageThumbnails.rows + [ProgressiveJPEG.row]
    + AnimationPlayback.rows

do {
    let arguments = try BenchmarkArguments(CommandLine.arguments.dropFirst())
    // A row may be one of several, "name/variant", which its name alone selects together.
    let rows = allRows.filter { row in
        arguments.rows.isEmpty || arguments.rows.contains { row.name == $0 || row.name.hasPrefix($0 + "/") }
    }
    if arguments.wantsHelp {
        print(BenchmarkArguments.usage)
    } else if arguments.isList {
        for row in allRows { print("\(row.name): \(row.summary)") }
    } else if rows.isEmpty {
        throw BenchmarkArguments.Mistake(message: "no such row")
    } else if let contender = arguments.alone {
        try await BenchmarkRunner.runAlone(rows[0], contender: contender, context: arguments.context)
    } else {
        let report = BenchmarkReport(isJSON: arguments.isJSON)
        for row in rows {
            if let reason = row.missing() {
                report.skip(row, because: reason)
                continue
            }
            report.begin(row)
            report.show(try await BenchmarkRunner(rounds: arguments.rounds).run(row), of: row)
        }
    }
} catch let mistake as BenchmarkArguments.Mistake {
    FileHandle.standardError.write(Data("\(mistake.message)\n\(BenchmarkArguments.usage)\n".utf8))
    exit(2)
}
