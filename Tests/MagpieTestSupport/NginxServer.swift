public import Foundation
import Synchronization

/// A real web server for tests and benchmarks: nginx on free ports of the loopback interface.
///
/// It serves a folder over plain HTTP, and over TLS with HTTP/2 under certificates good and bad. It ends with `stop()`,
/// with the object, or with the process, whichever comes first.
public final class NginxServer: Sendable {
    /// The ways into the server.
    public enum Entrance: String, Sendable, CaseIterable {
        /// HTTP/1.1 without TLS.
        case plain
        /// TLS with HTTP/2 and HTTP/1.1, and a certificate for `localhost` and 127.0.0.1 of the server's authority.
        case secure
        /// TLS with HTTP/1.1 only and the good certificate.
        case secureHTTP1
        /// TLS with a certificate whose time is over.
        case expired
        /// TLS with a certificate whose time has not come.
        case notYetValid
        /// TLS with a certificate for another host.
        case wrongHost
        /// TLS with a certificate that vouches for itself.
        case selfSigned
        /// TLS with a certificate that an intermediate authority signed.
        case chained
        /// TLS with a certificate that an intermediate authority signed whose own time is over.
        case expiredIssuer
        /// TLS with a certificate that leads to an authority nobody knows.
        case unknownRoot
        /// TLS with a certificate for clients only.
        case clientOnly
        /// TLS with a certificate that one without the right to do so has signed.
        case falseAuthority
        /// TLS with a certificate that its authority's list withdraws.
        case revoked
        /// TLS with the good certificate, and the authority's word that it holds (OCSP stapling).
        case stapled
        /// TLS with the withdrawn certificate, and the authority's word that it was.
        case stapledRevoked
        /// TLS with the good certificate, for clients that have one themselves.
        case clientCertificate
        /// TLS 1.1 only, with the good certificate.
        case oldTLS
    }

    /// The folder that is served.
    public let root: URL

    /// The certificate of the authority that signed the good certificate.
    public var caFile: URL { certificates.caFile }

    /// The pin of the good certificate's public key, as `sha256//` and Base64.
    public var publicKeyPin: String { publicKeyPin(of: "server") }

    /// The pin of the public key of the `server`, the `intermediate` authority or the root, `ca`, by `openssl`.
    public func publicKeyPin(of name: String) -> String { certificates.publicKeyPins[name] ?? "" }

    /// One of the files of certificates and keys, such as `intermediate.pem`, `client.key` or `crl.pem`.
    public func certificateFile(_ name: String) -> URL { certificates.folder.appending(path: name) }

    private let folder: TemporaryFolder
    private let certificates: TestCertificates
    private let ports: [Entrance: Int]
    private let process: Process
    private let leash: FileHandle

    /// Whether nginx and openssl are installed.
    public static let isAvailable = program != nil && TestCertificates.isAvailable

    /// The server that all tests of a process may share; its root is empty at first, and each test writes its own files
    /// under names of its own.
    public static func shared() async throws -> NginxServer { try await sharedStart.value }

    private static let sharedStart = Task { try await NginxServer.start() }

    /// Starts a server and waits until it answers.
    ///
    /// - Parameter root: The folder to serve; a new one where none is given.
    public static func start(root: URL? = nil) async throws -> NginxServer {
        var failure: any Error = StartFailure.notInstalled
        // A port may be taken between finding it and listening on it. A server that ends takes its folder with it, so
        // that each try has its own.
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let certificates = try TestCertificates(in: folder.url)
            let content = try root ?? Self.makeRoot(in: folder)
            do {
                let server = try NginxServer(folder: folder, certificates: certificates, root: content)
                try await server.waitUntilReady()
                return server
            } catch { failure = error }
        }
        throw failure
    }

    /// Why a server did not start.
    public enum StartFailure: Error, Sendable {
        /// nginx is not there.
        case notInstalled
        /// nginx ended, with what it wrote.
        case ended(log: String)
        /// nginx does not answer.
        case silent
    }

    private init(folder: TemporaryFolder, certificates: TestCertificates, root: URL) throws {
        guard let program = Self.program else { throw StartFailure.notInstalled }
        self.folder = folder
        self.certificates = certificates
        self.root = root
        ports = Dictionary(
            uniqueKeysWithValues: zip(Entrance.allCases, try LoopbackSocket.freePorts(Entrance.allCases.count))
        )
        let file = folder.url.appending(path: "nginx.conf")
        let configuration = NginxConfiguration(folder: folder.url, root: root, certificates: certificates, ports: ports)
        try Data(configuration.text.utf8).write(to: file)
        let pipe = Pipe()
        // Only this process may hold the writing end, or the reading end would never see its end.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.keeper, "sh", folder.url.path, program, "-c", file.path]
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        leash = pipe.fileHandleForWriting
        try process.runHearingSignals()
    }

    deinit { stop() }

    /// Ends nginx and removes its folder when the input ends: with `stop()`, and also when this process dies.
    private static let keeper = """
        folder=$1
        shift
        "$@" -p "$folder" -e "$folder/error.log" </dev/null &
        server=$!
        read _
        kill $server
        wait $server
        rm -rf "$folder"
        """

    /// The address of `path`, which begins with a slash.
    public func url(_ path: String, through entrance: Entrance = .plain) -> URL {
        let scheme = entrance == .plain ? "http" : "https"
        let host = entrance == .plain ? "127.0.0.1" : "localhost"
        guard let url = URL(string: "\(scheme)://\(host):\(ports[entrance] ?? 0)\(path)") else {
            preconditionFailure("not a path: \(path)")
        }
        return url
    }

    /// Ends the server.
    ///
    /// Calling it again does nothing.
    public func stop() { try? leash.close() }

    /// The requests of the access log whose target begins with `prefix`.
    ///
    /// nginx writes a line after it has sent the answer: waits until at least `count` are there, ten seconds at most.
    public func requests(under prefix: String = "/", atLeast count: Int = 0) async throws -> [NginxRequest] {
        let log = folder.url.appending(path: "access.log")
        let read = { @Sendable in
            NginxRequest.parse(try String(contentsOf: log, encoding: .utf8)).filter { $0.target.hasPrefix(prefix) }
        }
        _ = try await eventually { try read().count >= count }
        return try read()
    }

    private func waitUntilReady() async throws {
        let isReady = try await eventually(within: 10) { [self] in
            guard process.isRunning else { throw StartFailure.ended(log: errorLog) }
            return ports.values.allSatisfy { port in
                guard let descriptor = LoopbackSocket.connect(to: port) else { return false }
                close(descriptor)
                return true
            } || errorLog.contains("[emerg]")
        }
        if errorLog.contains("[emerg]") { throw StartFailure.ended(log: errorLog) }
        if !isReady { throw StartFailure.silent }
    }

    private var errorLog: String {
        (try? String(contentsOf: folder.url.appending(path: "error.log"), encoding: .utf8)) ?? ""
    }

    private static let program = [
        "/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static func makeRoot(in folder: TemporaryFolder) throws -> URL {
        let root = folder.url.appending(path: "root", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        return root
    }
}
