import Foundation
import Glibc
import MagpieStorage

/// Kills two workers at random instants, round after round, and looks at what they left.
struct StressRounds {
    /// What was found in all rounds.
    struct Outcome {
        var rounds = 0
        /// Entries that were read, whole and right.
        var entries = 0
        /// Entries that were not, or files that were found damaged.
        var wrong = 0
        /// Rounds after which the index was inexact before `verify`, though it had read the journals.
        var inexactBefore = 0
        /// Rounds after which it was inexact after `verify`.
        var inexactAfter = 0

        var isGood: Bool { wrong == 0 && inexactAfter == 0 }
    }

    let folder: URL

    func run(_ count: Int) throws -> Outcome {
        var outcome = Outcome()
        for _ in 0..<count {
            let workers = try (0..<2).map { _ in try startWorker() }
            usleep(UInt32.random(in: 5_000..<90_000))
            for worker in workers { kill(worker.processIdentifier, SIGKILL) }
            for worker in workers {
                worker.waitUntilExit()
                if worker.terminationReason == .exit { outcome.wrong += 1 }
            }
            look(&outcome)
            outcome.rounds += 1
        }
        return outcome
    }

    private func startWorker() throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["worker", folder.path]
        try process.run()
        return process
    }

    private func look(_ outcome: inout Outcome) {
        let store = BlobStore(folder: folder, limits: StressWorker.limits)
        // Opening the index reads the journals of the dead.
        if store.totals != filesByThemselves() { outcome.inexactBefore += 1 }
        for key in StressWorker.keys where store.contains(key) {
            guard let blob = store.blob(for: key, marksUse: false), StressWorker.isRight(blob, for: key) else {
                outcome.wrong += 1
                continue
            }
            outcome.entries += 1
        }
        let report = store.verify()
        outcome.wrong += report.damaged
        if report.totals != filesByThemselves() { outcome.inexactAfter += 1 }
    }

    /// The number and size of the blobs' files, as the folder shows them.
    private func filesByThemselves() -> BlobStore.Totals {
        var totals = BlobStore.Totals(count: 0, size: 0)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasSuffix(".magpie") {
            var status = stat()
            guard stat(folder.path + "/" + name, &status) == 0 else { continue }
            totals.count += 1
            totals.size += Int(status.st_size)
        }
        return totals
    }
}
