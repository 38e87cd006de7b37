import Foundation
@preconcurrency import Glibc
import Magpie
import MagpieStorage

/// The program's two outputs: results on standard output, messages on standard error.
enum Console {
    /// Writes a line of results.
    ///
    /// A reader that has gone ends the program quietly.
    static func print(_ line: String) {
        write(line + "\n", to: STDOUT_FILENO)
    }

    /// Writes a line of results that stem from files and servers, without what would control a terminal.
    static func print(result fields: [String]) {
        print(fields.map(printable).joined(separator: "\t"))
    }

    /// Writes a message about an input: `magpie: INPUT: MESSAGE`.
    static func fail(_ input: String, _ message: String) {
        warn("\(input): \(message)")
    }

    /// Writes a message: `magpie: MESSAGE`.
    static func warn(_ message: String) {
        write("magpie: \(printable(message))\n", to: STDERR_FILENO)
    }

    /// Writes a line of what was measured or done, on standard error.
    static func note(_ line: String) {
        write(printable(line) + "\n", to: STDERR_FILENO)
    }

    /// Writes a value as one line of JSON.
    static func print(json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        print(String(decoding: data, as: UTF8.self))
    }

    /// Whether standard error is a terminal that may be written over.
    static var showsProgress: Bool {
        isatty(STDERR_FILENO) == 1
    }

    /// Shows a line of progress in place of the one before; an empty one clears it.
    static func progress(_ line: String) {
        guard showsProgress else { return }
        write("\r\u{1B}[K\(printable(line))", to: STDERR_FILENO)
    }

    /// One line without control characters, which a server could put into what it says.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        )
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let number = Data(text.utf8).writeAll(to: descriptor)
        guard number != 0 else { return }
        if descriptor == STDOUT_FILENO, number != EPIPE {
            warn("cannot write to standard output: \(String(cString: strerror(number)))")
        }
        exit(ExitStatus.someFailed.rawValue)
    }
}
