import Foundation
@preconcurrency import Glibc
import MagpieStorage

/// Listens on the loopback interface for the one request that `--offline` prints.
final class PreviewListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    private static let answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
    private static let bufferSize = 64 * 1024

    init() throws(Failure) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 1) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard descriptor >= 0, isListening else { throw Failure(system: "cannot show the request", errno) }
        port = address.sin_port.bigEndian
    }

    deinit { close(descriptor) }

    /// Waits no longer for a request.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Writes the request that comes to standard output, and answers it.
    ///
    /// - Returns: Whether one came before `stop()`.
    func printRequest() async throws(Failure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                do throws(Failure) {
                    continuation.resume(returning: Result<Bool, Failure>.success(try receive()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func receive() throws(Failure) -> Bool {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return false }
        defer { close(connection) }
        var end = MessageEnd()
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        while !end.isReached {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let bytes = Data(buffer[..<count])
            end.consume(bytes)
            try OutputFile.writeToStandardOutput(bytes)
        }
        _ = Data(Self.answer.utf8).writeAll(to: connection)
        return true
    }
}

/// Finds the end of a request that the transport wrote.
private struct MessageEnd {
    private var head = Data()
    /// The bytes of the body that are still to come; nil while the head is not complete.
    private var left: Int64?
    private var isChunked = false
    private var tail = Data()

    private(set) var isReached = false

    mutating func consume(_ bytes: Data) {
        guard left == nil, !isChunked else { return consumeBody(bytes) }
        head.append(bytes)
        guard let end = head.range(of: Data("\r\n\r\n".utf8)) else { return }
        let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).lowercased().components(
            separatedBy: "\r\n"
        )
        isChunked = lines.contains("transfer-encoding: chunked")
        if !isChunked {
            let length = lines.first { $0.hasPrefix("content-length: ") }?.dropFirst(16)
            left = length.flatMap { Int64($0) } ?? 0
        }
        consumeBody(Data(head[end.upperBound...]))
    }

    private mutating func consumeBody(_ bytes: Data) {
        if let left {
            self.left = left - Int64(bytes.count)
            isReached = left <= Int64(bytes.count)
        } else {
            tail = Data((tail + bytes).suffix(7))
            isReached = tail.suffix(5) == Data("0\r\n\r\n".utf8) && (tail.count == 5 || tail.starts(with: [13, 10]))
        }
    }
}
