public import Foundation

/// A real server of methods, forms, authentication, cookies, redirects and every status: httpbin on a free port of the
/// loopback interface.
///
/// It ends with the object or with the process, whichever comes first.
public final class HttpbinServer: Sendable {
    /// The address of the server's root.
    public let baseURL: URL

    private let process: Process
    private let leash: FileHandle

    /// Whether httpbin is installed.
    public static let isAvailable = FileManager.default.fileExists(
        atPath: "/usr/lib/python3/dist-packages/httpbin/__init__.py"
    )

    /// The server that all tests of a process share.
    public static func shared() async throws -> HttpbinServer { try await sharedStart.value }

    private static let sharedStart = Task { try HttpbinServer() }

    /// Why the server did not start.
    public struct StartFailure: Error, Sendable {}

    private init() throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.program]
        let input = Pipe()
        // Only this process may hold the writing end, or the reading end would never see its end.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        leash = input.fileHandleForWriting
        try process.runHearingSignals()
        guard let port = Int(Self.line(from: output.fileHandleForReading)),
            let url = URL(string: "http://127.0.0.1:\(port)/")
        else { throw StartFailure() }
        baseURL = url
    }

    deinit { try? leash.close() }

    /// The address of `path`, which begins without a slash.
    public func url(_ path: String) -> URL {
        guard let url = URL(string: baseURL.absoluteString + path) else { preconditionFailure("not a path: \(path)") }
        return url
    }

    /// Serves until the input ends, and tells its port first.
    private static let program = """
        import os, sys, threading
        from werkzeug.serving import make_server, WSGIRequestHandler
        from httpbin import app
        WSGIRequestHandler.protocol_version = "HTTP/1.1"
        server = make_server("127.0.0.1", 0, app, threaded=True)
        print(server.server_port, flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        os._exit(0)
        """

    private static func line(from handle: FileHandle) -> String {
        var text = ""
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            text.append(Character(UnicodeScalar(byte)))
        }
        return text
    }
}
