import Foundation

/// What a URL's origin is: scheme, host and port (RFC 9110 §4.3.1).
enum HTTPOrigin {
    /// The scheme and authority as one text, in lower case, with the port always written.
    static func key(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let host = url.host()?.lowercased() ?? ""
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Whether both have the same scheme, host and port.
    static func isSame(_ left: URL, _ right: URL) -> Bool { key(of: left) == key(of: right) }

    /// Whether the URL is `http` or `https` and names a host.
    static func isLoadable(_ url: URL) -> Bool { problem(of: url) == nil }

    /// Why the URL cannot be loaded, if so.
    static func problem(of url: URL) -> HTTPError? {
        guard let scheme = url.scheme?.lowercased() else { return .invalidURL(url.absoluteString) }
        guard scheme == "http" || scheme == "https" else { return .unsupportedScheme(scheme, url) }
        guard let host = url.host(), !host.isEmpty else { return .invalidURL(url.absoluteString) }
        return nil
    }
}
