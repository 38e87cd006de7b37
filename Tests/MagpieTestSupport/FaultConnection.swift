public import Foundation
import MagpieConcurrency
import MagpieHTTP
import Synchronization

/// One connection of a `FaultServer`, as its handler sees it.
public final class FaultConnection: Sendable {
    /// The peer is gone, or the handler wants the connection cut.
    public struct Closed: Error {
        /// Makes the error.
        public init() {}
    }

    private let descriptor: Lock<CInt>
    private let received = Lock(Data())
    private let isHead = Atomic(false)
    private let sentCount = Atomic(0)

    private let readsBodies: Bool

    init(descriptor: CInt, readsBodies: Bool) {
        self.descriptor = Lock(descriptor)
        self.readsBodies = readsBodies
    }

    /// How many bytes the kernel has taken from the handler.
    public var bytesSent: Int { sentCount.load(ordering: .relaxed) }

    /// Sends the text as it stands; blocks while the peer does not read.
    public func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Sends the bytes; blocks while the peer does not read.
    public func send(_ data: Data) throws {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(current, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Closed() }
            sentCount.wrappingAdd(count, ordering: .relaxed)
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a whole answer with its length.
    public func respond(_ status: String = "200 OK", fields: [String] = [], body: Data = Data()) throws {
        try respond(status, fields: fields + ["Content-Length: \(body.count)"])
        // The answer to a HEAD has no body (RFC 9110 §9.3.2); one would be taken for the next answer.
        if !isHead.load(ordering: .relaxed) { try send(body) }
    }

    /// Sends a whole answer with its length.
    public func respond(_ status: String = "200 OK", fields: [String] = [], text: String) throws {
        try respond(status, fields: fields, body: Data(text.utf8))
    }

    /// Sends a head and nothing else.
    public func respond(_ status: String = "200 OK", fields: [String]) throws {
        try send((["HTTP/1.1 \(status)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Makes the kernel's buffer small, so that `send` blocks soon after the peer stops reading.
    public func setSendBuffer(bytes: Int) {
        var size = CInt(clamping: bytes)
        setsockopt(current, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Ends the connection in good order (FIN), also while another thread uses it.
    public func cut() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }

    /// Ends the connection with a reset (RST).
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(current, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Waits until the peer closes; false where it sends something instead, or does not within `seconds`.
    public func waitForPeerToClose(seconds: Double = 300) -> Bool {
        var entry = pollfd(fd: current, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, CInt(seconds * 1000)) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(current, &byte, 1, CInt(MSG_PEEK)) <= 0
    }

    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Foundation.close(descriptor) }
            descriptor = -1
        }
    }

    private var current: CInt { descriptor.withLock { $0 } }
}

// MARK: - Reading

extension FaultConnection {
    /// The next request, or `nil` where the peer has closed.
    func readRequest() -> FaultRequest? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = received.withLock({ $0.range(of: end) }) { return readRequest(headEnd: range.upperBound) }
            guard readMore() else { return nil }
        }
    }

    private func readRequest(headEnd: Int) -> FaultRequest? {
        let head = received.withLock { String(decoding: $0[$0.startIndex..<headEnd], as: UTF8.self) }
        received.withLock { $0 = Data($0[headEnd...]) }
        let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count >= 2 else { return nil }
        isHead.store(words[0] == "HEAD", ordering: .relaxed)
        let bare = FaultRequest(method: String(words[0]), target: String(words[1]), head: head, body: Data())
        guard readsBodies else { return bare }
        let isChunked = bare.field("Transfer-Encoding") == "chunked"
        let body = isChunked ? readChunks() : readBytes(bare.field("Content-Length").flatMap { Int($0) } ?? 0)
        return body.map { FaultRequest(method: bare.method, target: bare.target, head: head, body: $0) }
    }

    /// The next `count` bytes of what the peer sends; `nil` where it closes before.
    public func readBytes(_ count: Int) -> Data? {
        while received.withLock({ $0.count }) < count {
            guard readMore() else { return nil }
        }
        return received.withLock { received in
            defer { received = Data(received.dropFirst(count)) }
            return Data(received.prefix(count))
        }
    }

    /// A body in chunks (RFC 9112 §7.1) and its trailer section, which is left out.
    private func readChunks() -> Data? {
        var body = Data()
        while let size = readLine().flatMap({ Int($0, radix: 16) }) {
            guard size > 0 else { break }
            guard let chunk = readBytes(size), readLine() != nil else { return nil }
            body += chunk
        }
        while let line = readLine() {
            if line.isEmpty { return body }
        }
        return nil
    }

    /// The next line, without its line break.
    private func readLine() -> String? {
        while true {
            if let end = received.withLock({ $0.range(of: Data("\r\n".utf8)) }) {
                return readBytes(end.upperBound).map { String(decoding: $0.dropLast(2), as: UTF8.self) }
            }
            guard readMore() else { return nil }
        }
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(current, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received.withLock { $0.append(contentsOf: buffer[..<count]) }
        return true
    }
}
