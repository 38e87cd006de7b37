import Foundation
import MagpieConcurrency

/// A proxy for tests: forwards HTTP in absolute form, opens tunnels by CONNECT, and speaks SOCKS 4, 4a and 5.
///
/// Whatever host is asked for, it connects to the asked port of 127.0.0.1.
public final class TestProxy: Sendable {
    private struct State {
        var targets: [String] = []
        var heads: [String] = []
    }

    /// The port on 127.0.0.1.
    public let port: Int

    private let listener: CInt
    private let credential: String?
    private let state = Lock(State())

    /// Starts a proxy.
    ///
    /// - Parameter credential: What `Proxy-Authorization` must say; anything where none is given.
    public init(credential: String? = nil) throws {
        self.credential = credential
        (listener, port) = try LoopbackSocket.bind(backlog: 64)
        Thread.detachNewThread { [weak self, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { break }
                Thread.detachNewThread { self.serve(client) }
            }
            close(listener)
        }
    }

    deinit { stop() }

    /// Accepts no more connections.
    public func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

    /// The hosts and ports that were asked for, in order.
    public var targets: [String] { state.withLock { $0.targets } }

    /// The heads of the requests that were made to the proxy.
    public var heads: [String] { state.withLock { $0.heads } }

    private func serve(_ client: CInt) {
        var first: UInt8 = 0
        guard recv(client, &first, 1, CInt(MSG_PEEK)) == 1 else { return _ = close(client) }
        let server =
            switch first {
            case 4: acceptSOCKS4(client)
            case 5: acceptSOCKS5(client)
            default: acceptHTTP(client)
            }
        guard let server else { return _ = close(client) }
        Thread.detachNewThread {
            Self.copy(from: server, to: client)
        }
        Self.copy(from: client, to: server)
    }

    private func acceptHTTP(_ client: CInt) -> CInt? {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            guard let byte = Self.read(client, count: 1) else { return nil }
            head += String(decoding: byte, as: UTF8.self)
        }
        state.withLock { $0.heads.append(head) }
        if let credential, !head.contains("Proxy-Authorization: \(credential)\r\n") {
            Self.write(
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"door\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                to: client
            )
            return nil
        }
        let words = head.split(separator: " ", maxSplits: 2)
        guard words.count == 3 else { return nil }
        if words[0] == "CONNECT" {
            guard let server = connect(to: String(words[1])) else { return nil }
            Self.write("HTTP/1.1 200 OK\r\n\r\n", to: client)
            return server
        }
        guard let url = URL(string: String(words[1])), let host = url.host(), let port = url.port,
            let server = connect(to: "\(host):\(port)")
        else { return nil }
        Self.write("\(words[0]) \(url.path()) \(words[2])", to: server)
        return server
    }

    /// The protocol of 1992, and its extension 4a by names.
    private func acceptSOCKS4(_ client: CInt) -> CInt? {
        guard let request = Self.read(client, count: 8), Self.readText(client) != nil else { return nil }
        let isNamed = request[4...6] == [0, 0, 0]
        let address = request[4...7].map { "\($0)" }.joined(separator: ".")
        guard let host = isNamed ? Self.readText(client) : address,
            let server = connect(to: "\(host):\(Int(request[2]) << 8 | Int(request[3]))")
        else { return nil }
        Self.write([0, 90, 0, 0, 0, 0, 0, 0], to: client)
        return server
    }

    /// Reads until a zero.
    private static func readText(_ client: CInt) -> String? {
        var text: [UInt8] = []
        while let byte = read(client, count: 1)?.first {
            if byte == 0 { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }

    /// RFC 1928, without authentication.
    private func acceptSOCKS5(_ client: CInt) -> CInt? {
        guard let greeting = Self.read(client, count: 2), Self.read(client, count: Int(greeting[1])) != nil else {
            return nil
        }
        Self.write([5, 0], to: client)
        guard let request = Self.read(client, count: 4) else { return nil }
        var host: [UInt8]?
        if request[3] == 3 {
            host = Self.read(client, count: 1).flatMap { Self.read(client, count: Int($0[0])) }
        } else {
            host = Self.read(client, count: 4).map { Array($0.map { "\($0)" }.joined(separator: ".").utf8) }
        }
        guard let host, let port = Self.read(client, count: 2),
            let server = connect(to: "\(String(decoding: host, as: UTF8.self)):\(Int(port[0]) << 8 | Int(port[1]))")
        else { return nil }
        Self.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0], to: client)
        return server
    }

    private func connect(to target: String) -> CInt? {
        state.withLock { $0.targets.append(target) }
        return target.split(separator: ":").last.flatMap { Int($0) }.flatMap { LoopbackSocket.connect(to: $0) }
    }

    private static func read(_ descriptor: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(descriptor, &bytes, count, CInt(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func write(_ text: String, to descriptor: CInt) { write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Copies until either end closes, and closes the source.
    private static func copy(from source: CInt, to target: CInt) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let step = buffer[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard step > 0 else { break }
                sent += step
            }
        }
        shutdown(target, CInt(SHUT_RDWR))
        close(source)
    }
}
