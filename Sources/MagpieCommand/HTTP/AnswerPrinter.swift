import Foundation
@preconcurrency import Glibc
import MagpieHTTP

/// Writes answers to standard output, and what they cost to standard error.
struct AnswerPrinter {
    /// Whether the status line and the fields come first.
    let includesHead: Bool

    /// Writes the head, where it was asked for.
    func print(_ response: HTTPResponse) {
        guard includesHead else { return }
        Console.print("\(response.version) \(response.status)")
        for field in response.headerFields { Console.print(result: ["\(field.name.rawName): \(field.value)"]) }
        Console.print("")
    }

    /// Writes a part of the body.
    ///
    /// Bytes that are no text are not shown on a terminal, which might obey them.
    func print(_ chunk: Data) throws(Failure) {
        guard isatty(STDOUT_FILENO) == 1, chunk.contains(where: { $0 < 9 || $0 == 0x1B }) else {
            return try OutputFile.writeToStandardOutput(chunk)
        }
        throw Failure(code: "binary", message: "the body is no text for a terminal; write it with --download FILE")
    }

    /// Writes what the request cost, a measure a line.
    static func print(_ metrics: HTTPTaskMetrics) {
        let lines: [(String, String)] = [
            ("dns", milliseconds(metrics.nameLookup)),
            ("connect", milliseconds(metrics.connect)),
            ("tls", milliseconds(metrics.secureConnect)),
            ("first byte", milliseconds(metrics.firstByte)),
            ("total", milliseconds(metrics.total)),
            ("received", "\(metrics.bytesReceived) bytes"),
            ("protocol", metrics.version.map { "\($0)" } ?? "none"),
            ("reused", metrics.isConnectionReused ? "yes" : "no"),
            ("redirects", "\(metrics.redirectCount)"),
            ("retries", "\(metrics.retryCount)"),
            ("address", metrics.remoteAddress ?? "unknown"),
        ]
        for (name, value) in lines {
            Console.note("\(name.padding(toLength: 12, withPad: " ", startingAt: 0))\(value)")
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        String(format: "%.1f ms", duration / .milliseconds(1))
    }
}
