public import Foundation
import MagpieConcurrency
import MagpieHTTP

/// A server that does on the wire exactly what a test says: for what a real server cannot be told to do.
///
/// It speaks plain HTTP/1.1 on a free port of the loopback interface. Each connection has a thread of its own, which
/// reads one request after another and gives each to the handler; the handler may block.
public final class FaultServer: Sendable {
    /// What to do with a request: write to the connection, stall, cut.
    ///
    /// Returning leaves the connection open for the next request; throwing cuts it.
    public typealias Handler = @Sendable (FaultConnection, FaultRequest) throws -> Void

    private struct State {
        var requests: [FaultRequest] = []
        var connections: [FaultConnection] = []
        var openCount = 0
        var isStopped = false
    }

    /// The port on 127.0.0.1; zero for a server on a socket of the file system.
    public let port: Int

    private let listener: CInt
    private let readsBodies: Bool
    private let handler: Handler
    private let state = Lock(State())

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - path: Where to listen in the file system; on a port where no place is given.
    ///   - readsBodies: Whether a request is read with its body before the handler gets it.
    ///   - handler: What answers.
    public init(path: String? = nil, readsBodies: Bool = true, _ handler: @escaping Handler) throws {
        self.readsBodies = readsBodies
        self.handler = handler
        (listener, port) = try path.map { (try LoopbackSocket.bind(path: $0), 0) } ?? LoopbackSocket.bind(backlog: 256)
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                guard let self else {
                    close(descriptor)
                    break
                }
                self.serve(descriptor)
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// The address of `path`, which begins with a slash.
    public func url(_ path: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            preconditionFailure("not a path: \(path)")
        }
        return url
    }

    /// The requests received so far, in the order of their coming.
    public var requests: [FaultRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted so far.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    /// How many connections are open.
    public var openConnectionCount: Int { state.withLock { $0.openCount } }

    /// Cuts all connections and accepts no more.
    public func stop() {
        let connections = state.withLock { state -> [FaultConnection]? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return state.connections
        }
        guard let connections else { return }
        shutdown(listener, CInt(SHUT_RDWR))
        for connection in connections { connection.cut() }
    }

    private func serve(_ descriptor: CInt) {
        let connection = FaultConnection(descriptor: descriptor, readsBodies: readsBodies)
        let isStopped = state.withLock { state in
            state.connections.append(connection)
            state.openCount += 1
            return state.isStopped
        }
        if isStopped { connection.cut() }
        Thread.detachNewThread { [weak self, handler] in
            while let request = connection.readRequest() {
                self?.state.withLock { $0.requests.append(request) }
                do { try handler(connection, request) } catch { break }
            }
            connection.close()
            self?.state.withLock { $0.openCount -= 1 }
        }
    }
}
