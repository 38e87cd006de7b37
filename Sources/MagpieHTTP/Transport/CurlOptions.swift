import CCurl
import Foundation

/// Translates a request and its settings into options of an easy handle.
///
/// What a handle was told last is remembered, and told again only where it changed: setting an option copies text, and
/// most requests of a program look alike. Nothing of one request reaches the next, since all of it is compared.
struct CurlOptions {
    /// What of a request and its settings decides about the options beside the address.
    ///
    /// Names of fields are equal whatever the case of their letters, so a field may go out in the spelling of the last one.
    private struct Shape: Equatable {
        let method: HTTPRequest.Method
        let bodyCount: Int64?
        let headerFields: HTTPFields
        let decompresses: Bool
        let version: Int
        let needsOwnConnection: Bool
        let expectsContinue: Bool
    }

    private var policy: HTTPTrust.Policy?
    private var connectLimit: Duration??
    private var address: String?
    private var isSecure = false
    private var shape: Shape?
    private var isWatchingRawBytes = false
    private var isReuseForbidden = false
    private var route = CurlRoute()
    private var proxyList: UnsafeMutablePointer<curl_slist>?
    private var list: UnsafeMutablePointer<curl_slist>?

    /// The size of the receive buffer in bytes.
    ///
    /// It is allocated for each exchange; libcurl hands over at most 16 kB at a time,
    /// and the C library's allocator slows down where blocks of 64 kB come and go.
    private static let bufferSize = 16 * 1024

    /// The size of the buffer for bodies that are sent, in bytes; it is allocated where one is.
    private static let uploadBufferSize = 256 * 1024

    /// How long libcurl waits for a connection where no limit is wanted; zero would mean its own limit.
    private static let noConnectLimit = 7 * 24 * 3600 * 1000

    /// What makes libcurl send a body whose length is not known: in chunks over HTTP/1.1 (RFC 9112 §7.1).
    private static let unknownCount: Int64 = -1

    /// Whether the exchange goes by HTTP/1 without TLS.
    private(set) var isPlain = false

    private func version(for preference: HTTPTransportSettings.VersionPreference) -> Int {
        switch preference {
        // Over plain TCP nothing can be negotiated: there, asking for HTTP/2 would only make requests wait in line.
        case .automatic: Int(isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        case .http1Only: Int(CURL_HTTP_VERSION_1_1)
        case .http2PriorKnowledge: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        case .http3: Int(isSecure ? CurlLibrary.http3 : CURL_HTTP_VERSION_1_1)
        }
    }

    /// Sets what is the same for all exchanges.
    static func setConstants(of easy: UnsafeMutableRawPointer, errorBuffer: UnsafeMutablePointer<CChar>) {
        magpie_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer)
        magpie_easy_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Removing a handle must not wait for its name lookup.
        magpie_easy_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        magpie_easy_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        magpie_easy_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        magpie_easy_set_long(easy, CURLOPT_PIPEWAIT, 1)
        magpie_easy_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        magpie_easy_set_long(easy, CURLOPT_BUFFERSIZE, bufferSize)
        magpie_easy_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, uploadBufferSize)
    }

    /// Lets libcurl follow `Alt-Svc`, and keep what it learns in the file.
    static func setAlternativeServices(_ file: URL?, of easy: UnsafeMutableRawPointer) {
        guard let file else { return }
        magpie_easy_set_long(easy, CURLOPT_ALTSVC_CTRL, Int(CURLALTSVC_H1 | CURLALTSVC_H2 | CURLALTSVC_H3))
        magpie_easy_set_string(easy, CURLOPT_ALTSVC, file.path)
    }

    /// Sets what belongs to one exchange.
    mutating func set(of easy: UnsafeMutableRawPointer, for exchange: CurlExchange) {
        let request = exchange.request
        let settings = exchange.settings
        let newPolicy = settings.trust.policy(for: request.url)
        if policy != newPolicy {
            CurlTrust.set(newPolicy, of: easy)
            policy = newPolicy
        }
        if connectLimit != .some(settings.timeouts.connect) {
            Self.setConnectLimit(settings.timeouts.connect, of: easy)
            connectLimit = .some(settings.timeouts.connect)
        }
        let newAddress = request.url.absoluteString
        if address != newAddress {
            magpie_easy_set_string(easy, CURLOPT_URL, newAddress)
            address = newAddress
            isSecure = request.url.scheme?.lowercased() == "https"
        }
        isPlain = !isSecure && settings.versions != .http2PriorKnowledge && !settings.connection.proxy.isSecure
        route.set(settings.connection, of: easy)
        takeBackWatches(of: easy)
        let newShape = Shape(
            method: request.method,
            bodyCount: request.body.map { max(Self.unknownCount, $0.count ?? Self.unknownCount) },
            headerFields: request.headerFields,
            decompresses: settings.decompresses(request),
            version: version(for: settings.versions),
            needsOwnConnection: CurlLibrary.losesPriorKnowledge && settings.versions == .http2PriorKnowledge && !isSecure,
            expectsContinue: settings.connection.continueLimit != nil
        )
        if newShape.needsOwnConnection { forbidReuse(of: easy) }
        guard shape != newShape else { return }
        apply(newShape, to: easy, for: request)
        shape = newShape
    }

    private mutating func apply(_ shape: Shape, to easy: UnsafeMutableRawPointer, for request: HTTPRequest) {
        magpie_easy_set_long(easy, CURLOPT_HTTP_VERSION, shape.version)
        magpie_easy_set_long(easy, CURLOPT_FRESH_CONNECT, shape.needsOwnConnection ? 1 : 0)
        Self.setMethod(of: easy, for: request, bodyCount: shape.bodyCount ?? 0)
        setFields(of: easy, for: request, shape)
    }

    /// Lets libcurl show the bytes of the exchange under way as they come.
    ///
    /// It is told from within its callback for the head, so that no other exchange pays for it.
    mutating func watchRawBytes(of easy: UnsafeMutableRawPointer) {
        guard CurlLibrary.showsFraming, !isWatchingRawBytes else { return }
        isWatchingRawBytes = true
        magpie_easy_set_long(easy, CURLOPT_VERBOSE, 1)
    }

    /// Closes the connection after the exchange under way.
    mutating func forbidReuse(of easy: UnsafeMutableRawPointer) {
        isReuseForbidden = true
        magpie_easy_set_long(easy, CURLOPT_FORBID_REUSE, 1)
    }

    private mutating func takeBackWatches(of easy: UnsafeMutableRawPointer) {
        if isWatchingRawBytes { magpie_easy_set_long(easy, CURLOPT_VERBOSE, 0) }
        if isReuseForbidden { magpie_easy_set_long(easy, CURLOPT_FORBID_REUSE, 0) }
        isWatchingRawBytes = false
        isReuseForbidden = false
    }

    /// Frees the list of fields, once the easy handle is gone.
    mutating func freeList() {
        curl_slist_free_all(list)
        curl_slist_free_all(proxyList)
        list = nil
        proxyList = nil
        route.freeList()
    }

    private static func setConnectLimit(_ limit: Duration?, of easy: UnsafeMutableRawPointer) {
        let milliseconds = limit.map { max(1, $0.nanoseconds / 1_000_000) } ?? Int64(noConnectLimit)
        magpie_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, Int64(noConnectLimit))))
    }

    private static func setMethod(of easy: UnsafeMutableRawPointer, for request: HTTPRequest, bodyCount: Int64) {
        // HTTPGET takes back what an earlier exchange set through NOBODY and POST.
        magpie_easy_set_long(easy, CURLOPT_NOBODY, 0)
        magpie_easy_set_long(easy, CURLOPT_HTTPGET, 1)
        magpie_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
        if request.method == .head {
            magpie_easy_set_long(easy, CURLOPT_NOBODY, 1)
            return
        }
        if sendsBody(request) {
            magpie_easy_set_long(easy, CURLOPT_POST, 1)
            magpie_easy_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
            magpie_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyCount))
        }
        if request.method != .get || request.body != nil {
            magpie_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    /// Whether the request says how long its body is, be it empty: methods that give a body a meaning always do
    /// (RFC 9110 §8.6).
    private static func sendsBody(_ request: HTTPRequest) -> Bool {
        guard request.method != .head else { return false }
        return request.body != nil || [.post, .put, .patch].contains(request.method)
    }

    private mutating func setFields(of easy: UnsafeMutableRawPointer, for request: HTTPRequest, _ shape: Shape) {
        let old = list
        list = nil
        // libcurl looks through its list of fields time and again in the course of a request: the field that all
        // requests have goes by an option of its own.
        let userAgents = request.headerFields[values: .userAgent]
        let isUserAgentOption = userAgents.count == 1 && userAgents.first?.isEmpty == false
        magpie_easy_set_string(easy, CURLOPT_USERAGENT, isUserAgentOption ? userAgents.first : nil)
        for field in request.headerFields where !Self.isFraming(field.name) {
            if isUserAgentOption, field.name == .userAgent { continue }
            // What is said to the proxy must not go through it to the server.
            if field.name == .proxyAuthorization { continue }
            // libcurl takes a semicolon for an empty value and drops the field otherwise.
            append(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
        }
        if shape.decompresses { append("Accept-Encoding: \(ContentDecoder.acceptedCodings)") }
        if Self.sendsBody(request) {
            // No form type that nobody asked for, and no waiting for a "100 Continue".
            if !request.headerFields.contains(.contentType) { append("Content-Type:") }
            if !request.headerFields.contains(.expect) {
                append(shape.expectsContinue ? "Expect: 100-continue" : "Expect:")
            }
        }
        magpie_easy_set_pointer(easy, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(old)
        let oldProxyList = proxyList
        proxyList = request.headerFields[.proxyAuthorization]
            .flatMap { curl_slist_append(nil, "Proxy-Authorization: \($0)") }
        magpie_easy_set_pointer(easy, CURLOPT_PROXYHEADER, proxyList)
        curl_slist_free_all(oldProxyList)
    }

    private mutating func append(_ line: String) {
        if let longer = curl_slist_append(list, line) { list = longer }
    }

    /// The fields that say where a message ends; they follow from the body and are the transport's own.
    private static func isFraming(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .transferEncoding
    }
}
