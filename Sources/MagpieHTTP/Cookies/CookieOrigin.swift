import Foundation

/// The parts of an address that cookies are matched with (RFC 6265bis §5.1).
struct CookieOrigin {
    /// In lower case, without the brackets of an IPv6 address.
    let host: String
    let path: String
    /// Whether nobody else can read or forge what is sent: TLS, or this machine itself.
    let isSecure: Bool
    let isIPAddress: Bool

    init?(_ url: URL) {
        guard let host = url.host()?.lowercased(), !host.isEmpty else { return nil }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
        // A dot at the end names the same host (RFC 1034 §3.1).
        self.host = bare.hasSuffix(".") ? String(bare.dropLast()) : bare
        let path = url.path(percentEncoded: true)
        self.path = path.hasPrefix("/") ? path : "/"
        isIPAddress = Self.isIPAddress(self.host)
        let isThisMachine =
            self.host == "localhost" || self.host.hasSuffix(".localhost") || self.host == "::1"
            || isIPAddress && self.host.hasPrefix("127.")
        isSecure = url.scheme?.lowercased() == "https" || isThisMachine
    }

    /// The path without what follows its last slash (§5.1.4).
    var defaultPath: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host is `domain` or below it (§5.1.3); an IP address is below nothing.
    func isIn(_ domain: String) -> Bool {
        host == domain || !isIPAddress && Self.isBelow(host, domain)
    }

    static func isBelow(_ host: String, _ domain: String) -> Bool {
        host.utf8.count > domain.utf8.count && host.hasSuffix(domain)
            && host.dropLast(domain.count).last == "."
    }

    /// Whether `path` is at or below `cookiePath` (§5.1.4).
    static func path(_ path: String, isBelow cookiePath: String) -> Bool {
        guard path.hasPrefix(cookiePath) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
            || path.dropFirst(cookiePath.count).first == "/"
    }

    /// The site that the host belongs to: what its owner registered, else the host.
    var site: String { isIPAddress ? host : PublicSuffixes.registrableDomain(of: host) ?? host }

    private static func isIPAddress(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}
