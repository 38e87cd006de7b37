import Foundation

/// What a URL's origin is: scheme, host and port (RFC 9110 §4.3.1).
enum HTTPOrigin {
    /// The scheme and authority as one text, in lower case, with the port always written.
    static func key(of url: URL) -> String {
        if let key = plainKey(of: url.absoluteString) { return key }
        let scheme = url.scheme?.lowercased() ?? ""
        let host = url.host()?.lowercased() ?? ""
        return "\(scheme)://\(host):\(HTTPPort.of(url))"
    }

    /// Whether both have the same scheme, host and port.
    static func isSame(_ left: URL, _ right: URL) -> Bool { key(of: left) == key(of: right) }

    /// Whether the URL is `http` or `https` and names a host.
    static func isLoadable(_ url: URL) -> Bool { problem(of: url) == nil }

    /// Why the URL cannot be loaded, if so.
    static func problem(of url: URL) -> HTTPError? {
        if plainKey(of: url.absoluteString) != nil { return nil }
        guard let scheme = url.scheme?.lowercased() else { return .invalidURL(url.absoluteString) }
        guard scheme == "http" || scheme == "https" else { return .unsupportedScheme(scheme, url) }
        guard let host = url.host(), !host.isEmpty else { return .invalidURL(url.absoluteString) }
        return nil
    }

    /// The key of an address whose authority is written plainly: lower-case letters, digits, dots and hyphens, and a port.
    ///
    /// Nearly all are, and each request asks; `URL` takes a microsecond for each of its parts.
    private static func plainKey(of address: String) -> String? {
        var address = address
        return address.withUTF8 { bytes in
            let isSecure = bytes.starts(with: "https://".utf8)
            guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
            let start = isSecure ? 8 : 7
            var end = start
            var colon: Int?
            scan: while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    guard colon == nil else { return nil }
                case UInt8(ascii: "0")...UInt8(ascii: "9"): break
                case UInt8(ascii: ":"):
                    guard colon == nil else { return nil }
                    colon = end
                default: return nil
                }
                end += 1
            }
            // "http://:80" names no host, "http://h:" and "http://h:080" write their ports in ways of their own.
            guard end > start, colon != start else { return nil }
            if let colon {
                guard end > colon + 1, bytes[colon + 1] != UInt8(ascii: "0") else { return nil }
            }
            let origin = String(decoding: bytes[..<end], as: UTF8.self)
            return colon == nil ? "\(origin):\(HTTPPort.standard(isSecure: isSecure))" : origin
        }
    }
}
