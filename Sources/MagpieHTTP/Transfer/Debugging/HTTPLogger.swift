import Foundation

/// Writes down what happens in a session, without its secrets.
///
///     → 12 GET https://example.org/users?token=***
///     ← 12 200 OK
///     ✓ 12 5120 bytes in 35 ms, HTTP/2
///
/// A monitor for `HTTPSession.Configuration.eventMonitors`.
public final class HTTPLogger: HTTPEventMonitor {
    /// How much is written.
    public enum Detail: Int, Sendable, Hashable {
        /// A line for each thing that happens.
        case events
        /// The header fields as well.
        case headerFields
    }

    private let detail: Detail
    private let redaction: HTTPRedaction
    private let write: @Sendable (String) -> Void

    /// Where lines are written that may have to wait, one after another.
    private static let writer = WorkerPool(name: "magpie.log", width: 1)

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - detail: How much is written.
    ///   - redaction: What is hidden.
    ///   - write: Gets each line, or several where header fields are written, on the thread on which things happen; must not
    ///     block. As a default they go to standard error, on a thread of their own.
    public init(
        detail: Detail = .events,
        redaction: HTTPRedaction = .standard,
        write: (@Sendable (String) -> Void)? = nil
    ) {
        self.detail = detail
        self.redaction = redaction
        self.write =
            write ?? { line in
                Self.writer.run { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
            }
    }

    /// Writes the method and the address.
    public func didStart(_ task: HTTPTask) {
        let request = task.originalRequest
        log("→", task, "\(request.method) \(redaction.address(request.url))", request.headerFields)
    }

    /// Writes where the redirect leads.
    public func didRedirect(_ task: HTTPTask, to request: HTTPRequest) {
        log("↪", task, "\(request.method) \(redaction.address(request.url))")
    }

    /// Writes that the request is sent again.
    public func didRetry(_ task: HTTPTask) { log("↻", task, "once more") }

    /// Writes the status.
    public func didReceive(_ response: HTTPResponse, of task: HTTPTask) {
        log("←", task, response.status.description, response.headerFields)
    }

    /// Writes what came and how long it took, or what went wrong.
    public func didFinish(_ task: HTTPTask, with result: Result<HTTPTaskMetrics, HTTPError>) {
        switch result {
        case .success(let metrics):
            let milliseconds = Int((metrics.total / .milliseconds(1)).rounded())
            let version = metrics.version.map { ", \($0)" } ?? ""
            log("✓", task, "\(metrics.bytesReceived) bytes in \(milliseconds) ms\(version)")
        case .failure(let error): log("✗", task, redaction.text(error.description))
        }
    }

    private func log(_ sign: String, _ task: HTTPTask, _ text: String, _ fields: HTTPFields = [:]) {
        let description = task.taskDescription.map { " (\($0))" } ?? ""
        var lines = ["\(sign) \(task.id)\(description) \(text)"]
        if detail == .headerFields {
            lines += redaction.fields(fields).map { "    \($0.name.rawName): \($0.value)" }
        }
        write(lines.joined(separator: "\n"))
    }
}
