import Foundation
import MagpieConcurrency
import MagpieTestSupport

/// A network of its own for one thread, whose links a test takes up and down.
final class NetworkNamespace: Sendable {
    struct Failure: Error { let command: String }

    private let thread = Lock<pid_t>(0)
    private let isEntered = TestGate()

    /// Whether this process may make one, and has `ip` and `nsenter` to change it.
    static let isAvailable: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/nsenter"),
            ["/usr/sbin/ip", "/sbin/ip"].contains(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else { return false }
        let (namespace, gate) = (NetworkNamespace(), TestGate())
        Thread.detachNewThread {
            namespace.enter()
            gate.block()
        }
        defer { gate.open() }
        return (try? namespace.run("ip link add v0 type veth peer name v1")) != nil
    }()

    /// Moves the calling thread into a new network, in which nothing is up.
    func enter() {
        defer { isEntered.open() }
        guard let unshare = dlsym(nil, "unshare"), let gettid = dlsym(nil, "gettid") else { return }
        // Functions of Linux alone, which Swift's view of the C library leaves out.
        typealias Unshare = @convention(c) (CInt) -> CInt
        typealias GetThread = @convention(c) () -> pid_t
        guard unsafeBitCast(unshare, to: Unshare.self)(Self.newNetwork) == 0 else { return }
        thread.withLock { $0 = unsafeBitCast(gettid, to: GetThread.self)() }
    }

    /// `CLONE_NEWNET` of <sched.h>.
    private static let newNetwork: CInt = 0x4000_0000

    /// Runs commands of a shell in the network, once a thread is in it.
    func run(_ commands: String) throws {
        isEntered.block()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/nsenter")
        let network = "/proc/\(getpid())/task/\(thread.withLock { $0 })/ns/net"
        process.arguments = ["--net=\(network)", "/bin/sh", "-ec", "PATH=$PATH:/usr/sbin:/sbin; \(commands)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: commands) }
    }
}
