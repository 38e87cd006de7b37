import Dispatch
import Foundation
@preconcurrency import Glibc
import MagpieHTTP

/// The command `magpie`: finds the subcommand, sorts its words, runs it, and turns what happens into an exit status.
@main
enum MagpieCommand {
    static let version = HTTPSession.version

    private static var subcommands: [any Subcommand.Type] {
        [GetCommand.self, InfoCommand.self, DecodeCommand.self, CacheCommand.self, HTTPCommand.self, DemoCommand.self]
    }

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        // A standard descriptor that is closed would become the number of a socket or of the cache's next file.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        if let status = answer(words) { exit(status.rawValue) }
        // Only what takes time starts Swift's concurrency, and with it threads.
        Task {
            let status = await run(words)
            exit(status.rawValue)
        }
        dispatchMain()
    }

    /// What can be said at once; nil when there is something to do.
    private static func answer(_ words: [String]) -> ExitStatus? {
        switch words.first {
        case nil:
            Console.warn("what is to be done? 'magpie --help' lists the subcommands")
            return .wrongUsage
        case "-h", "--help", "help":
            Console.print(help)
            return .done
        case "--version":
            Console.print("magpie \(version)")
            return .done
        default:
            return nil
        }
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        guard let subcommand = subcommands.first(where: { $0.name == words.first }) else {
            Console.warn("there is no subcommand '\(words.first ?? "")'; 'magpie --help' lists them")
            return .wrongUsage
        }
        return await run(subcommand, Array(words.dropFirst()))
    }

    private static func run(_ subcommand: any Subcommand.Type, _ words: [String]) async -> ExitStatus {
        do {
            let options = subcommand.options + [.flag("help", "h", "")]
            let arguments = try OptionParser.parse(words, name: "magpie \(subcommand.name)", options)
            if arguments.has("help") {
                Console.print(subcommand.help)
                return .done
            }
            return try await subcommand.run(arguments)
        } catch let error as UsageError {
            if !error.message.isEmpty { Console.warn("\(subcommand.name): \(error.message)") }
            Console.warn("'magpie \(subcommand.name) --help' tells how it is used")
            return .wrongUsage
        } catch {
            Console.warn("\(subcommand.name): \(error)")
            return .someFailed
        }
    }

    private static var help: String {
        let width = subcommands.map { $0.name.count }.max() ?? 0
        let list = subcommands.map { subcommand in
            let gap = String(repeating: " ", count: width - subcommand.name.count + 2)
            return "  \(subcommand.name)\(gap)\(subcommand.summary)"
        }
        return """
            usage: magpie SUBCOMMAND [OPTION]... [OPERAND]...

            Loads pictures from the web, keeps them, and shows what they are.

            \(list.joined(separator: "\n"))

            'magpie SUBCOMMAND --help' tells more. Options may be shortened, and -- ends them.
              -h, --help   print this help
              --version    print the version
            """
    }
}
