@preconcurrency import CGetopt
@preconcurrency import Glibc

/// An option of a subcommand, as its help shows it.
struct CommandOption {
    let name: String
    var letter: Character?
    /// What the value is called in the help; nil for an option without one.
    var value: String?
    let help: String

    /// An option without a value.
    static func flag(_ name: String, _ letter: Character? = nil, _ help: String) -> CommandOption {
        CommandOption(name: name, letter: letter, value: nil, help: help)
    }

    /// An option with a value.
    static func value(_ name: String, _ letter: Character? = nil, _ value: String, _ help: String) -> CommandOption {
        CommandOption(name: name, letter: letter, value: value, help: help)
    }
}

/// The words of a command line that does not follow the command's grammar; ends in exit status 2.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// What a command line says, after its options have been sorted from its operands.
struct ParsedArguments {
    fileprivate(set) var operands: [String] = []
    /// The options as they stand on the command line, those without a value with an empty one.
    private(set) var options: [(name: String, value: String)] = []
    private var values: [String: [String]] = [:]

    fileprivate mutating func add(_ option: String, _ value: String) {
        options.append((option, value))
        values[option, default: []].append(value)
    }

    /// Whether an option was given.
    func has(_ option: String) -> Bool {
        values[option] != nil
    }

    /// The last value of an option.
    func value(_ option: String) -> String? {
        values[option]?.last
    }

    /// All values of an option that may be repeated.
    func values(_ option: String) -> [String] {
        values[option] ?? []
    }

    /// The value of an option as the name of a file.
    func fileName(_ option: String) throws(UsageError) -> String? {
        guard let text = value(option) else { return nil }
        guard !text.isEmpty else { throw UsageError("--\(option) takes the name of a file") }
        return text
    }

    /// The value of an option as a whole number within a range.
    func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let upper = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            throw UsageError("--\(option) takes a whole number from \(range.lowerBound) \(upper), not '\(text)'")
        }
        return number
    }

    /// The value of an option as a number of seconds, more than 0.
    func seconds(_ option: String) throws(UsageError) -> Duration? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), number > 0, number <= 1e9 else {
            throw UsageError("--\(option) takes a number of seconds, more than 0, not '\(text)'")
        }
        return .milliseconds(Int64((number * 1000).rounded(.up)))
    }
}

/// Sorts a command line into options and operands with the C library's `getopt_long`, whose rules are GNU's: options
/// anywhere, `--name=value`, unambiguous abbreviations, `--` ends options.
enum OptionParser {
    /// - Parameters:
    ///   - name: what messages call the program (`magpie get`).
    ///   - arguments: the words after the program's name.
    /// - Throws: `UsageError` with an empty message when `getopt_long` has printed what is wrong.
    static func parse(_ arguments: [String], name: String, _ options: [CommandOption]) throws(UsageError)
        -> ParsedArguments
    {
        let table = OptionTable(options)
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
        words.append(nil)
        // `getopt_long` reorders the words, so that they are freed after.
        defer { words.forEach { free($0) } }
        let count = Int32(words.count - 1)
        var parsed = ParsedArguments()
        optind = 0
        while true {
            let code = getopt_long(count, &words, table.letters, table.longOptions, nil)
            if code == -1 { break }
            guard let option = table.option(code) else { throw UsageError("") }
            parsed.add(option.name, optarg.map { String(cString: $0) } ?? "")
        }
        let rest = words.dropFirst(Int(optind)).prefix { $0 != nil }
        parsed.operands = rest.compactMap { $0.map { String(cString: $0) } }
        return parsed
    }

    /// The options in the form that `getopt_long` reads.
    private final class OptionTable {
        typealias LongOption = CGetopt.option

        let letters: String
        private(set) var longOptions: [LongOption] = []
        private let options: [CommandOption]

        init(_ options: [CommandOption]) {
            self.options = options
            letters = options.reduce(into: "") { letters, option in
                guard let letter = option.letter else { return }
                letters += option.value == nil ? "\(letter)" : "\(letter):"
            }
            for (index, item) in options.enumerated() {
                let hasValue = item.value == nil ? no_argument : required_argument
                longOptions.append(
                    LongOption(
                        name: strdup(item.name),
                        has_arg: hasValue,
                        flag: nil,
                        val: Self.firstCode + Int32(index)
                    )
                )
            }
            longOptions.append(LongOption())
        }

        deinit {
            for item in longOptions { free(UnsafeMutableRawPointer(mutating: item.name)) }
        }

        /// Codes of long options lie above those of all letters.
        private static let firstCode: Int32 = 256

        func option(_ code: Int32) -> CommandOption? {
            if code >= Self.firstCode { return options[Int(code - Self.firstCode)] }
            return options.first { $0.letter?.asciiValue.map(Int32.init) == code }
        }
    }
}
