import CCrypto
import Foundation

/// Hosts' names in the one spelling in which they are compared.
enum HostName {
    /// In lower case, in the letters of the DNS (RFC 5891), without a dot at the end.
    static func normalized(_ host: String) -> String {
        var name = host.lowercased()
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            var components = URLComponents()
            components.host = name
            name = components.encodedHost ?? name
        }
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// The normalized name of the URL's host; empty where it has none.
    static func of(_ url: URL) -> String {
        guard let host = url.host() else { return "" }
        // `host()` undoes what the URL itself did to letters that the DNS does not know.
        guard host.contains("%") else { return normalized(host) }
        return normalized(URLComponents(url: url, resolvingAgainstBaseURL: true)?.encodedHost ?? host)
    }

    /// Whether the host is an IP address rather than a name.
    static func isAddress(_ host: String) -> Bool {
        guard let address = a2i_IPADDRESS(host) else { return false }
        ASN1_OCTET_STRING_free(address)
        return true
    }
}
