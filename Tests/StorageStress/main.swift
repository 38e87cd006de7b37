import Foundation

/// `StorageStress rounds COUNT FOLDER` kills two `StorageStress worker FOLDER` again and again.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "worker" where arguments.count == 2:
    var worker = StressWorker(folder: URL(fileURLWithPath: arguments[1]))
    worker.run()
case "rounds" where arguments.count == 3:
    let rounds = StressRounds(folder: URL(fileURLWithPath: arguments[2]))
    let outcome = try rounds.run(Int(arguments[1]) ?? 1)
    print(
        "\(outcome.rounds) rounds: \(outcome.entries) entries whole, \(outcome.wrong) wrong; the index was inexact",
        "\(outcome.inexactBefore) times before and \(outcome.inexactAfter) times after verifying"
    )
    exit(outcome.isGood ? 0 : 1)
default:
    print("usage: StorageStress rounds COUNT FOLDER")
    exit(2)
}
