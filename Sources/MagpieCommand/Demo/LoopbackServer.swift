import Foundation
@preconcurrency import Glibc
import Magpie
import MagpieConcurrency
import MagpieHTTP
import MagpieStorage

/// A server of a few files on the loopback interface, for the demonstration: HTTP/1.1, GET and HEAD, connections kept.
///
/// It answers only this machine, and a thread of its own serves each connection until the server is stopped.
final class LoopbackServer: Sendable {
    private struct State {
        var connections: Set<Int32> = []
        var requests = 0
        var isStopped = false
    }

    /// The address of the server's root, `http://127.0.0.1:PORT/`.
    let url: URL

    private let listener: Int32
    private let files: [String: (data: Data, contentType: String)]
    private let state = Lock(State())

    /// Starts a server on a port that the system chooses.
    init(files: [String: (data: Data, contentType: String)]) throws(Failure) {
        self.files = files
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Failure(system: "cannot open a socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        guard listens, let url = URL(string: "http://127.0.0.1:\(port)/") else {
            let number = errno
            close(listener)
            throw Failure(system: "cannot listen on the loopback interface", number)
        }
        self.listener = listener
        self.url = url
        Thread.detachNewThread { self.accept() }
    }

    /// The number of requests answered so far.
    var requestCount: Int { state.withLock { $0.requests } }

    /// Closes the port and all connections.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            // Under the lock, so that none of them is closed, and its number another's, in between.
            state.connections.forEach { _ = shutdown($0, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0, errno == EINTR { continue }
            let isServed =
                connection >= 0
                && state.withLock { state in
                    if !state.isStopped { state.connections.insert(connection) }
                    return !state.isStopped
                }
            guard isServed else {
                if connection >= 0 { close(connection) }
                break
            }
            Thread.detachNewThread { self.serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        var noDelay: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        while let head = readHead(connection), answer(head, on: connection) {}
        state.withLock { _ = $0.connections.remove(connection) }
        close(connection)
    }

    /// The head of the next request; nil when the connection ends or sends too much.
    private func readHead(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.count < 16_384, recv(connection, &byte, 1, 0) == 1 {
            head.append(byte)
            if head.suffix(4).elementsEqual("\r\n\r\n".utf8) { return String(decoding: head, as: UTF8.self) }
        }
        return nil
    }

    private func answer(_ head: String, on connection: Int32) -> Bool {
        state.withLock { $0.requests += 1 }
        let words = (head.split(separator: "\r\n", maxSplits: 1).first ?? "").split(separator: " ")
        let file = words.count == 3 ? files[String(words[1].dropFirst())] : nil as (data: Data, contentType: String)?
        let body = file?.data ?? Data("There is no such picture.\n".utf8)
        let status = file == nil ? "404 Not Found" : "200 OK"
        var answer = Data(
            """
            HTTP/1.1 \(status)\r
            Content-Type: \(file?.contentType ?? "text/plain")\r
            Content-Length: \(body.count)\r
            Cache-Control: max-age=60\r
            \r

            """.utf8
        )
        if words.first != "HEAD" { answer += body }
        return answer.writeAll(to: connection) == 0
    }
}
