public import Foundation

/// OpenSSL's own server over TLS 1.3, which refuses clients without a good certificate in the handshake itself.
///
/// It shows the good certificate of an `NginxServer` and asks for one of the same authority. It ends with the object,
/// and after a minute in any case.
public final class OpenSSLServer: Sendable {
    /// Where it answers.
    public let url: URL

    private let process: Process

    /// Starts a server and waits until it listens.
    public init(certificatesOf nginx: NginxServer) async throws {
        let port = try LoopbackSocket.freePorts(1)[0]
        guard let url = URL(string: "https://localhost:\(port)/") else { preconditionFailure("no URL") }
        self.url = url
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = [
            "60", "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-tls1_3", "-Verify", "1",
            "-verify_return_error", "-CAfile", nginx.caFile.path, "-cert", nginx.certificateFile("good.pem").path,
            "-key", nginx.certificateFile("server.key").path,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runHearingSignals()
        _ = await eventually { LoopbackSocket.connect(to: port).map { close($0) } != nil }
    }

    deinit { process.terminate() }
}
