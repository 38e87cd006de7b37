import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The command `magpie`, run as a process in a folder of its own, with a cache of its own.
struct CommandRun {
    /// What a run left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let messages: String

        /// The lines of standard output as JSON objects.
        var json: [[String: Any]] {
            output.split(separator: "\n").compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            }
        }
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The built command, which lies beside the bundle of the tests.
    static let program: URL = {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        return (bundle ?? tests).deletingLastPathComponent().appendingPathComponent("magpie")
    }()

    /// Runs the command to its end.
    func callAsFunction(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await start(arguments, environment: environment).outcome()
    }

    /// Runs a script of the shell, in which `$MAGPIE` is the command.
    func shell(_ script: String) async throws -> Outcome {
        try await start(Self.process("/bin/sh", ["-c", script]), ["MAGPIE": Self.program.path]).outcome()
    }

    func run(_ arguments: [String]) async throws -> Outcome {
        try await start(arguments).outcome()
    }

    /// Starts the command and returns at once.
    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        try start(Self.process(Self.program.path, arguments), environment)
    }

    private static func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        return process
    }

    private func start(_ process: Process, _ environment: [String: String]) throws -> Running {
        process.currentDirectoryURL = folder.url
        var variables = ProcessInfo.processInfo.environment
        variables["XDG_CACHE_HOME"] = folder.url.appendingPathComponent("xdg").path
        process.environment = variables.merging(environment) { $1 }
        return try Running(process)
    }

    /// The bytes of a file that the command wrote.
    func contents(_ name: String) throws -> Data {
        try Data(contentsOf: folder.url.appendingPathComponent(name))
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(name).path)
    }

    /// A run under way.
    final class Running: Sendable {
        let process: Process
        private let output = Collector()
        private let messages = Collector()
        private let ended = TestGate()

        fileprivate init(_ process: Process) throws {
            self.process = process
            process.standardOutput = output.pipe
            process.standardError = messages.pipe
            process.standardInput = FileHandle.nullDevice
            process.terminationHandler = { [ended] _ in ended.open() }
            output.begin()
            messages.begin()
            try process.runHearingSignals()
        }

        func outcome() async -> Outcome {
            await ended.pass()
            return Outcome(
                status: process.terminationStatus,
                output: await output.text(),
                messages: await messages.text()
            )
        }
    }

    /// Reads a pipe to its end on a thread of its own, so that the process never waits for room.
    private final class Collector: Sendable {
        let pipe = Pipe()
        private let data = Lock(Data())
        private let end = TestGate()

        func begin() {
            Thread.detachNewThread { [self] in
                let everything = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                data.withLock { $0 = everything }
                end.open()
            }
        }

        func text() async -> String {
            await end.pass()
            return String(decoding: data.withLock { $0 }, as: UTF8.self)
        }
    }
}
