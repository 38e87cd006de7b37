import CCrypto
import CCurl
import Foundation

/// Reads out of an easy handle what an exchange cost, and why it failed.
enum CurlReport {
    /// The measures of a finished exchange.
    static func metrics(of easy: UnsafeMutableRawPointer, version: HTTPVersion?) -> HTTPTaskMetrics {
        var metrics = HTTPTaskMetrics()
        metrics.nameLookup = duration(CURLINFO_NAMELOOKUP_TIME_T, of: easy)
        metrics.connect = duration(CURLINFO_CONNECT_TIME_T, of: easy)
        metrics.secureConnect = duration(CURLINFO_APPCONNECT_TIME_T, of: easy)
        metrics.requestStart = duration(CURLINFO_PRETRANSFER_TIME_T, of: easy)
        metrics.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T, of: easy)
        metrics.total = duration(CURLINFO_TOTAL_TIME_T, of: easy)
        metrics.bytesReceived = offset(CURLINFO_SIZE_DOWNLOAD_T, of: easy)
        metrics.isConnectionReused = !isConnectionNew(easy)
        metrics.version = version
        metrics.headerBytesReceived = Int64(long(CURLINFO_HEADER_SIZE, of: easy))
        metrics.bytesSent = offset(CURLINFO_SIZE_UPLOAD_T, of: easy)
        metrics.headerBytesSent = Int64(long(CURLINFO_REQUEST_SIZE, of: easy))
        metrics.remoteAddress = text(CURLINFO_PRIMARY_IP, of: easy)
        metrics.localAddress = text(CURLINFO_LOCAL_IP, of: easy)
        return metrics
    }

    /// How the connection of the exchange under way is secured.
    static func security(of easy: UnsafeMutableRawPointer) -> HTTPTaskMetrics.Security? {
        var pointer: UnsafeMutableRawPointer?
        guard magpie_easy_get_pointer(easy, CURLINFO_TLS_SSL_PTR, &pointer) == CURLE_OK,
            let info = pointer?.assumingMemoryBound(to: curl_tlssessioninfo.self).pointee,
            info.backend == CURLSSLBACKEND_OPENSSL, let session = info.internals.map({ OpaquePointer($0) }),
            let version = SSL_get_version(session), let cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(session))
        else { return nil }
        return HTTPTaskMetrics.Security(version: String(cString: version), cipher: String(cString: cipher))
    }

    /// The error for an exchange that libcurl gave up.
    static func error(
        for code: CURLcode,
        of easy: UnsafeMutableRawPointer,
        exchange: CurlExchange,
        hasHead: Bool,
        message: String
    ) -> HTTPError {
        let url = exchange.request.url
        let host = url.host() ?? ""
        let reason = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        if !hasHead, isAboutHeader(code, reason: reason) {
            return .headerTooLarge(limit: min(exchange.settings.headerLimits.size, longestHeaderLine))
        }
        // Where the server's certificate was to blame, its own check said so.
        if exchange.handle?.certificateCheck == nil, long(CURLINFO_PROXY_SSL_VERIFYRESULT, of: easy) != 0 {
            return .proxyFailed(reason: reason)
        }
        let error = CurlTrustReport.error(
            for: code,
            problem: exchange.handle?.certificateCheck?.problem,
            policy: exchange.settings.trust.policy(for: url),
            host: host,
            reason: reason
        )
        if let error { return error }
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(url.absoluteString)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return .malformedResponse(reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost(host)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxyFailed(reason: reason)
        case CURLE_COULDNT_CONNECT:
            return connectError(of: easy, url: url, proxy: exchange.settings.connection.proxy, reason: reason)
        case CURLE_RECV_ERROR where !hasHead && long(CURLINFO_HTTP_CONNECTCODE, of: easy) >= 300:
            return .proxyFailed(reason: reason)
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(stage: .connect, after: exchange.settings.timeouts.connect ?? .zero)
        case CURLE_PARTIAL_FILE:
            return hasHead ? tooShort(of: easy) : .connectionLost(reason: "it ended within the header section")
        case CURLE_BAD_CONTENT_ENCODING: return .undecodableBody(reason: reason)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND:
            return .connectionLost(reason: reason)
        default: return .transport(code: Int(code.rawValue), message: reason)
        }
    }

    /// Whether libcurl gave up since a line of the header section, or all of it, is longer than it takes.
    private static func isAboutHeader(_ code: CURLcode, reason: String) -> Bool {
        // It reports a line without end as a lack of memory or as a bad argument.
        code == CURLE_OUT_OF_MEMORY || code == CURLE_BAD_FUNCTION_ARGUMENT || reason.hasPrefix("Too large response")
    }

    /// The longest line that libcurl takes, in bytes (`CURL_MAX_HTTP_HEADER`).
    private static let longestHeaderLine = 100 * 1024

    private static func connectError(
        of easy: UnsafeMutableRawPointer,
        url: URL,
        proxy: HTTPProxy,
        reason: String
    ) -> HTTPError {
        let number = CInt(truncatingIfNeeded: long(CURLINFO_OS_ERRNO, of: easy))
        if number == EMFILE || number == ENFILE { return .tooManyOpenFiles }
        if case .server = proxy { return .proxyFailed(reason: reason) }
        let host = url.host() ?? ""
        if number == ECONNREFUSED { return .connectionRefused(host: host, port: HTTPPort.of(url)) }
        let words = number == 0 ? reason : String(cString: strerror(number))
        return .cannotConnect(host: host, port: HTTPPort.of(url), reason: words)
    }

    private static func tooShort(of easy: UnsafeMutableRawPointer) -> HTTPError {
        let announced = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, of: easy)
        return .bodyTooShort(
            received: offset(CURLINFO_SIZE_DOWNLOAD_T, of: easy),
            expected: announced < 0 ? nil : announced
        )
    }

    private static func text(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard magpie_easy_get_string(easy, info, &text) == CURLE_OK, let text, text.pointee != 0 else { return nil }
        return String(cString: text)
    }

    /// Whether the connection was opened for the exchange, and not taken over from another.
    static func isConnectionNew(_ easy: UnsafeMutableRawPointer) -> Bool { long(CURLINFO_NUM_CONNECTS, of: easy) > 0 }

    private static func long(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> Int {
        var value = 0
        return magpie_easy_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    private static func offset(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> Int64 {
        var value: curl_off_t = 0
        return magpie_easy_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    private static func duration(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> Duration {
        .microseconds(offset(info, of: easy))
    }
}
