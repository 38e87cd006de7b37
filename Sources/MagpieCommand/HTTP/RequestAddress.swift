import Foundation
import MagpieHTTP

/// The address on the command line of `magpie http`, with what a person leaves out.
enum RequestAddress {
    /// The URL that `text` means: `example.org/x` is on `http`, `:8080/x` and `:/x` on this machine.
    static func url(_ text: String) throws(UsageError) -> URL {
        var address = text
        if !hasScheme(text) {
            if text.hasPrefix(":/") {
                address = "localhost" + text.dropFirst()
            } else if text.hasPrefix(":") {
                address = "localhost" + text
            }
            address = "http://" + address
        }
        guard let url = URL(string: address), url.host()?.isEmpty == false else {
            throw UsageError("'\(text)' is no address; write one like https://example.org/path")
        }
        return url
    }

    /// The proxy that `text` means: `[SCHEME://][USER:PASSWORD@]HOST[:PORT]`, by default `http` and port 1080, as with curl.
    static func proxy(_ text: String) throws(UsageError) -> HTTPProxy.Server {
        let url = URL(string: text.contains("://") ? text : "http://" + text)
        guard let url, let scheme = url.scheme.flatMap({ HTTPProxy.Scheme(rawValue: $0.lowercased()) }),
            let host = url.host(percentEncoded: false), !host.isEmpty, ["", "/"].contains(url.path()),
            url.query() == nil
        else {
            // The text may hold a password, and is not repeated.
            throw UsageError("--proxy takes an address like http://proxy.example:3128 or socks5h://127.0.0.1:1080")
        }
        return HTTPProxy.Server(
            scheme,
            host: host,
            port: url.port ?? (scheme == .https ? 443 : 1080),
            user: url.user(percentEncoded: false),
            password: url.password(percentEncoded: false)
        )
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.range(of: "://") else { return false }
        return !text[..<colon.lowerBound].isEmpty && text[..<colon.lowerBound].allSatisfy { $0.isLetter }
    }
}
