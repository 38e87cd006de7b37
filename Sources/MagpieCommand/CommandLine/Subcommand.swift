/// One of the things that `magpie` does.
protocol Subcommand {
    /// The word on the command line.
    static var name: String { get }
    /// What stands after the name in the usage line.
    static var synopsis: String { get }
    /// What it does, in a line.
    static var summary: String { get }
    /// Its options, without `--help`.
    static var options: [CommandOption] { get }
    /// Text below the options in the help.
    static var notes: String { get }

    /// Does it. Failures of single inputs are printed on the way and end in `.someFailed`.
    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus
}

extension Subcommand {
    static var notes: String { "" }

    static var usage: String { "usage: magpie \(name) \(synopsis)" }

    static var help: String {
        var lines = [usage, "", summary, ""]
        for option in options + [.flag("help", "h", "print this help")] {
            let letter = option.letter.map { "-\($0), " } ?? "    "
            let label = letter + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
            let gap = String(repeating: " ", count: max(1, 26 - label.count))
            lines.append("  \(label)\(gap)\(option.help)")
        }
        if !notes.isEmpty { lines += ["", notes] }
        return lines.joined(separator: "\n")
    }
}

/// What the program tells its caller.
enum ExitStatus: Int32 {
    case done = 0
    case someFailed = 1
    case wrongUsage = 2
    case interrupted = 130
}
