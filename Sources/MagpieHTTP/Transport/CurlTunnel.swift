import Foundation

/// Reads what a proxy answers to the wish for a tunnel (CONNECT, RFC 9110 §9.3.6), which libcurl shows with the rest.
///
/// It is the word of the proxy, and never taken for the server's: of all of it only the challenges of a refusal (407) are
/// reported, as an error. Whether there is a tunnel otherwise is for libcurl to say.
struct CurlTunnel {
    private let url: URL
    private var head = ResponseHeadParser()

    /// `nil` where the exchange asks for no tunnel.
    init?(for exchange: CurlExchange) {
        url = exchange.request.url
        guard url.scheme?.lowercased() == "https" else { return nil }
        head.reset(limits: exchange.settings.headerLimits)
    }

    /// Takes a line of the header section.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
        guard let response = try head.consume(line, url: url), response.status.code == 407 else { return }
        let challenges = response.headerFields[values: .proxyAuthenticate]
        if !challenges.isEmpty { throw .proxyAuthenticationRequired(challenges: Array(challenges)) }
    }
}
