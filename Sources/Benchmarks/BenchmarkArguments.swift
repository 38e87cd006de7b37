/// The program's arguments.
struct BenchmarkArguments {
    static let usage = """
        usage: Benchmarks [--row NAME]... [--rounds N] [--json] [--list]
          --row NAME   measure this row alone; may be repeated
          --rounds N   how many rounds are counted (default 7)
          --json       one JSON object a line
          --list       the names of the rows
        """

    /// What is wrong with the arguments.
    struct Mistake: Error {
        let message: String
    }

    private(set) var rows: [String] = []
    private(set) var rounds = 7
    private(set) var isJSON = false
    private(set) var isList = false
    private(set) var wantsHelp = false
    /// The contender that a child process runs alone, to measure its memory.
    private(set) var alone: String?
    private(set) var context: BenchmarkRow.Context = [:]

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--row": rows.append(try Self.value(of: argument, in: &rest))
            case "--rounds":
                guard let count = Int(try Self.value(of: argument, in: &rest)), count > 0 else {
                    throw Mistake(message: "--rounds wants a number above 0")
                }
                rounds = count
            case "--json": isJSON = true
            case "--list": isList = true
            case "-h", "--help": wantsHelp = true
            case "--alone": alone = try Self.value(of: argument, in: &rest)
            default: try addContext(argument)
            }
        }
    }

    private mutating func addContext(_ argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard alone != nil, parts.count == 2 else { throw Mistake(message: "unknown argument \(argument)") }
        context[parts[0]] = parts[1]
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw Mistake(message: "\(option) wants a value") }
        return value
    }
}
