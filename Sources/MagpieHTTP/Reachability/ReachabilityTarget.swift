import Foundation

/// To what the way is watched.
package enum ReachabilityTarget: Sendable {
    /// Anything that is not near: by the default route.
    case network
    /// A host, by its name.
    case host(String)
    /// An address.
    case address(NetworkAddress)

    /// The addresses for which a way is looked for; one that has a way is enough.
    ///
    /// Blocks where a name has to be looked up.
    var addresses: [NetworkAddress] {
        switch self {
        case .network: NetworkAddress.distant
        case .address(let address): [address]
        case .host(let name): NetworkAddress(name).map { [$0] } ?? NetworkAddress.lookUp(name)
        }
    }
}

/// The bytes of an IPv4 or IPv6 address.
package struct NetworkAddress: Sendable, Hashable {
    /// `AF_INET` or `AF_INET6`.
    let family: CInt

    /// 4 or 16 bytes, in the order in which they are written.
    let bytes: [UInt8]

    /// Reads a numeric address; `nil` where it is none.
    package init?(_ text: String) {
        let text = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.family = family
            self.bytes = bytes
            return
        }
        return nil
    }

    /// Addresses that are kept for documents (RFC 5737, RFC 3849): nobody has a route of their own for them, so that the
    /// kernel sends them by the default route.
    static let distant = [NetworkAddress("192.0.2.1"), NetworkAddress("2001:db8::1")].compactMap(\.self)

    /// The addresses of a host, or none where its name is not known.
    static func lookUp(_ host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry = entry?.pointee, let name = entry.ai_addr else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(text.count)
            guard getnameinfo(name, entry.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            // A link-local address ends with the name of an interface.
            return NetworkAddress(String(String(decoding: bytes, as: UTF8.self).prefix { $0 != "%" }))
        }
    }
}
