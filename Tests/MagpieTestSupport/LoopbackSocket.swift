import Foundation

/// The few calls on TCP sockets of the loopback interface that the servers of the tests need.
enum LoopbackSocket {
    /// A socket call that failed, and why.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let number = errno

        var description: String { "\(call): \(String(cString: strerror(number)))" }
    }

    /// Opens a socket on a free port of 127.0.0.1, listening where `backlog` is given.
    static func bind(backlog: CInt?) throws -> (descriptor: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | 0o2_000_000, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Foundation.bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound, backlog.map({ listen(descriptor, $0) == 0 }) ?? true else {
            defer { close(descriptor) }
            throw Failure(call: "bind")
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Opens a socket in the file system, listening.
    static func bind(path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | 0o2_000_000, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Foundation.bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 16) == 0 else {
            defer { close(descriptor) }
            throw Failure(call: "bind")
        }
        return descriptor
    }

    /// Numbers of `count` ports that were free a moment ago.
    static func freePorts(_ count: Int) throws -> [Int] {
        var sockets: [(descriptor: CInt, port: Int)] = []
        defer { for socket in sockets { close(socket.descriptor) } }
        for _ in 0..<count { sockets.append(try bind(backlog: nil)) }
        return sockets.map(\.port)
    }

    /// Opens a connection to a port of 127.0.0.1; `nil` where none can be made.
    ///
    /// - Parameter isBlocking: Whether to wait until the connection stands; otherwise it may be under way still.
    static func connect(to port: Int, isBlocking: Bool = true) -> CInt? {
        let flags: CInt = 0o2_000_000 | (isBlocking ? 0 : CInt(SOCK_NONBLOCK.rawValue))
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | flags, 0)
        guard descriptor >= 0 else { return nil }
        var address = address(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Foundation.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 || (!isBlocking && errno == EINPROGRESS) { return descriptor }
        close(descriptor)
        return nil
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
