import Foundation

/// Two ends of a loopback connection, of which one can send urgent data, which poll(2) tells by `POLLPRI`.
struct UrgentPair: Sendable {
    struct Failure: Error {}

    let reader: Int32
    private let writer: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        writer = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let writer = writer
        let isConnected = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0 && connect(writer, address, length) == 0
            }
        }
        reader = accept(listener, nil, nil)
        guard isConnected, reader >= 0 else { throw Failure() }
    }

    /// Sends a byte of urgent data.
    func raise() {
        _ = send(writer, [UInt8(1)], 1, Int32(MSG_OOB))
    }
}
