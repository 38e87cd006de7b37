import CLinux
import Foundation

/// A connection to the kernel's tables of interfaces and routes (rtnetlink(7)).
///
/// Used by one thread, whose network namespace it belongs to.
struct NetlinkSocket: ~Copyable {
    private let descriptor: CInt

    /// The size of an answer, at most: the kernel's own limit for one datagram.
    private static let bufferSize = 32 * 1024

    /// Opens one that hears of changes in `groups`; `nil` where the system does not let it.
    init?(groups: CInt) {
        let type = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_NETLINK, type, NETLINK_ROUTE)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(bitPattern: groups)
        let length = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits until something has changed, and takes all that is known of it; false where `end` became readable.
    ///
    /// - Parameters:
    ///   - end: A descriptor.
    ///   - patience: The longest wait, in milliseconds; a negative one sets no limit.
    func waitForNews(orEnd end: CInt, patience: CInt) -> Bool {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&entries, 2, patience) < 0 { guard errno == EINTR else { return false } }
        guard entries[1].revents == 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        // What changed does not matter: it is looked at anew. Neither does what the kernel had to drop (ENOBUFS).
        while recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) > 0 || errno == ENOBUFS {}
        return true
    }

    /// The index of the interface by which the kernel would send to an address; `nil` where it would not.
    func route(to address: NetworkAddress) -> Int32? {
        var message = rtmsg()
        message.rtm_family = UInt8(address.family)
        message.rtm_dst_len = UInt8(address.bytes.count * 8)
        var request = NetlinkRequest(type: RTM_GETROUTE, message)
        request.append(Int(RTA_DST.rawValue), address.bytes)
        guard let answer = ask(request, for: RTM_NEWROUTE, as: rtmsg.self),
            [RTN_UNICAST, RTN_LOCAL].contains(Int(answer.message.rtm_type))
        else { return nil }
        return answer.attribute(Int(RTA_OIF.rawValue))?.load(as: Int32.self)
    }

    /// An interface, or `nil` where it is gone.
    func interface(_ index: Int32) -> NetworkInterface? {
        var message = ifinfomsg()
        message.ifi_family = UInt8(AF_UNSPEC)
        message.ifi_index = index
        let request = NetlinkRequest(type: RTM_GETLINK, message)
        return ask(request, for: RTM_NEWLINK, as: ifinfomsg.self).map(NetworkInterface.init)
    }

    private func ask<Message: BitwiseCopyable>(
        _ request: NetlinkRequest,
        for type: Int,
        as _: Message.Type
    ) -> NetlinkAnswer<Message>? {
        let bytes = request.bytes
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { return nil }
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return NetlinkAnswer(buffer.prefix(count), type: type)
    }
}
