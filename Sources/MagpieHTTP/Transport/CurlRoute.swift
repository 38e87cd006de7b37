import CCurl
import Foundation

/// Translates `HTTPConnectionSettings` into options of an easy handle.
///
/// What a handle was told last is remembered, and told again only where it changed.
struct CurlRoute {
    private var settings = HTTPConnectionSettings()
    private var overrides: UnsafeMutablePointer<curl_slist>?

    /// libcurl's own limit for idle connections, in seconds.
    private static let usualIdleTime = 118

    /// libcurl's own patience with a server that was asked for its consent, in milliseconds.
    private static let usualContinueLimit: Int64 = 1000

    /// Sets what differs from what was set before.
    mutating func set(_ new: HTTPConnectionSettings, of easy: UnsafeMutableRawPointer) {
        guard new != settings else { return }
        Self.setProxy(new.proxy, of: easy)
        setOverrides(new.hostOverrides, of: easy)
        magpie_easy_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, new.unixSocketPath)
        magpie_easy_set_string(easy, CURLOPT_INTERFACE, new.localInterface)
        let idle = new.maximumIdleTime.map { Int(max(1, min($0.components.seconds, 1 << 30))) } ?? Self.usualIdleTime
        magpie_easy_set_long(easy, CURLOPT_MAXAGE_CONN, idle)
        magpie_easy_set_offset(easy, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(max(0, new.maximumReceiveSpeed ?? 0)))
        magpie_easy_set_offset(easy, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(max(0, new.maximumSendSpeed ?? 0)))
        let patience = new.continueLimit.map { max(1, $0.nanoseconds / 1_000_000) } ?? Self.usualContinueLimit
        magpie_easy_set_long(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, Int(min(patience, Int64(CInt.max))))
        settings = new
    }

    /// Frees the list of overrides, once the easy handle is gone.
    mutating func freeList() {
        curl_slist_free_all(overrides)
        overrides = nil
    }

    private static func setProxy(_ proxy: HTTPProxy, of easy: UnsafeMutableRawPointer) {
        var address: String?
        var server: HTTPProxy.Server?
        switch proxy {
        case .environment: address = nil
        case .none: address = ""
        case .server(let given):
            let host = given.host.contains(":") && !given.host.hasPrefix("[") ? "[\(given.host)]" : given.host
            address = "\(given.scheme.rawValue)://\(host):\(given.port)"
            server = given
        }
        magpie_easy_set_string(easy, CURLOPT_PROXY, address)
        magpie_easy_set_string(easy, CURLOPT_PROXYUSERNAME, server?.user)
        magpie_easy_set_string(easy, CURLOPT_PROXYPASSWORD, server?.password)
        CurlTrust.setProxyAuthorities(server?.authorities ?? .system, of: easy)
        // An empty list keeps the environment's list out.
        magpie_easy_set_string(easy, CURLOPT_NOPROXY, server.map { $0.exceptions.joined(separator: ",") })
    }

    private mutating func setOverrides(
        _ new: [HTTPConnectionSettings.HostOverride],
        of easy: UnsafeMutableRawPointer
    ) {
        var list: UnsafeMutablePointer<curl_slist>?
        for override in new {
            let parts = [
                Self.bracketed(override.host), override.port.map { "\($0)" } ?? "", Self.bracketed(override.address),
                override.addressPort.map { "\($0)" } ?? "",
            ]
            if let longer = curl_slist_append(list, parts.joined(separator: ":")) { list = longer }
        }
        magpie_easy_set_pointer(easy, CURLOPT_CONNECT_TO, list)
        curl_slist_free_all(overrides)
        overrides = list
    }

    /// The numbers of IPv6 contain colons, and stand in brackets.
    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
