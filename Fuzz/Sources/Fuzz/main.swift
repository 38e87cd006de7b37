import CFuzzer
import Foundation

// fuzz seeds FOLDER          writes a small picture of each format that can be written
// fuzz TARGET ARGUMENT...    hands the arguments to libFuzzer
let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "seeds" {
    try Seeds.write(to: URL(fileURLWithPath: arguments[2]))
    exit(0)
}
guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments[1]) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: Fuzz seeds FOLDER, or Fuzz \(names) ARGUMENT...\n".utf8))
    exit(2)
}
exit(target.run(arguments: [arguments[0]] + arguments.dropFirst(2)))
