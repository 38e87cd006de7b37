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
        metrics.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T, of: easy)
        metrics.total = duration(CURLINFO_TOTAL_TIME_T, of: easy)
        metrics.bytesReceived = offset(CURLINFO_SIZE_DOWNLOAD_T, of: easy)
        metrics.isConnectionReused = long(CURLINFO_NUM_CONNECTS, of: easy) == 0
        metrics.version = version
        var address: UnsafePointer<CChar>?
        if magpie_easy_get_string(easy, CURLINFO_PRIMARY_IP, &address) == CURLE_OK, let address, address.pointee != 0 {
            metrics.remoteAddress = String(cString: address)
        }
        return metrics
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
        case CURLE_COULDNT_RESOLVE_PROXY: return .cannotConnect(host: host, port: HTTPPort.of(url), reason: reason)
        case CURLE_COULDNT_CONNECT: return connectError(of: easy, url: url, reason: reason)
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

    private static func connectError(of easy: UnsafeMutableRawPointer, url: URL, reason: String) -> HTTPError {
        let host = url.host() ?? ""
        let number = CInt(truncatingIfNeeded: long(CURLINFO_OS_ERRNO, of: easy))
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
