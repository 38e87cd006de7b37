public import Foundation

/// A port of the loopback interface on which connecting neither succeeds nor fails: its queue is full.
public final class DeafListener: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int

    private let descriptors: [CInt]

    /// Opens the port and fills its queue.
    public init() throws {
        let (listener, port) = try LoopbackSocket.bind(backlog: 0)
        self.port = port
        // The kernel takes one more than the backlog; a few more make sure.
        descriptors = [listener] + (0..<4).compactMap { _ in LoopbackSocket.connect(to: port, isBlocking: false) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// An address on the port.
    public var url: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { preconditionFailure("no port") }
        return url
    }

    /// A port of 127.0.0.1 on which nothing listens.
    public static func refusingPort() throws -> Int { try LoopbackSocket.freePorts(1)[0] }
}
