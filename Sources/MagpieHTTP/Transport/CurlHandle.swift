import CCurl
import Foundation

/// One easy handle of libcurl and the exchange it carries at the moment.
///
/// Handles are reused: what never changes is set once, the rest anew for each exchange. Confined to the loop's thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer

    /// The place in the loop's list of active handles.
    var activeIndex = 0

    /// The socket of the connection, where it is one on which nothing comes but answers: HTTP/1 without TLS.
    private(set) var socket: CInt?

    /// The judge of the certificates, where the exchange opened a connection with TLS.
    private(set) var certificateCheck: CertificateCheck?

    private unowned let loop: CurlLoop
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var options = CurlOptions()
    private var exchange: CurlExchange?
    private var reception = CurlReception()
    private var upload = CurlUpload()
    /// Reads what a proxy says to the wish for a tunnel, while a connection with TLS is being made.
    private var tunnel: CurlTunnel?
    private var patience = CurlPatience()
    private var failure: HTTPError?
    private var isPauseWanted = false
    /// Whether libcurl holds received bytes back.
    private var isPaused = false
    /// How libcurl ended while the receiver was paused and a part of the body was still kept here.
    private var keptEnd: CURLcode?
    private var security: HTTPTaskMetrics.Security?

    /// Makes a handle, or nothing where memory is short.
    init?(loop: CurlLoop) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.loop = loop
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        CurlOptions.setConstants(of: easy, errorBuffer: errorBuffer)
        CurlOptions.setAlternativeServices(loop.limits.alternativeServicesFile, of: easy)
        CurlTrust.setConstants(of: easy)
        CurlCallbacks.connect(easy, to: self, of: loop)
    }

    deinit {
        curl_easy_cleanup(easy)
        errorBuffer.deallocate()
        options.freeList()
    }

    /// The handle to which an easy handle of libcurl belongs.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlHandle? {
        var context: UnsafeMutableRawPointer?
        guard let easy, magpie_easy_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        return from(context)
    }

    /// The handle that libcurl was given as the context of its callbacks.
    static func from(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes the exchange on and sets the options for it.
    func prepare(for exchange: CurlExchange) throws(HTTPError) {
        try checkHTTP3(for: exchange)
        upload = try CurlUpload(exchange.request.body) { [weak exchange] in exchange?.bodyIsReady() }
        self.exchange = exchange
        exchange.handle = self
        errorBuffer.pointee = 0
        certificateCheck = nil
        tunnel = nil
        reception.begin(exchange.request, exchange.settings)
        failure = nil
        isPauseWanted = false
        isPaused = false
        keptEnd = nil
        socket = nil
        security = nil
        patience = CurlPatience(exchange.settings.timeouts, now: loop.now)
        options.set(of: easy, for: exchange)
    }

    /// Lets the exchange go, once libcurl has done with the handle.
    func release() -> CurlExchange? {
        let exchange = exchange
        exchange?.handle = nil
        self.exchange = nil
        failure = nil
        reception.end()
        tunnel = nil
        upload.close()
        upload = CurlUpload()
        return exchange
    }

    /// When the loop has to look at the time-outs.
    var deadline: Int64 { patience.deadline(isPaused: isHeldBack) }

    /// The error for which the loop has to end the exchange: a time-out, or a fault that libcurl overlooks.
    func reasonToEnd(at now: Int64) -> HTTPError? { failure ?? patience.overdue(at: now, isPaused: isHeldBack) }

    /// Whether this side holds the transfer back, so that the server's silence is no fault of its.
    private var isHeldBack: Bool { isPauseWanted || upload.isWaiting }

    /// Keeps the end of the exchange for later where a paused receiver has not got the whole body yet.
    func holdsBack(_ code: CURLcode) -> Bool {
        guard code == CURLE_OK, failure == nil, isPauseWanted, reception.isHoldingBytes else { return false }
        keptEnd = code
        return true
    }

    /// The result of the exchange that libcurl ended with `code`; the delegate gets the trailers.
    func conclude(_ code: CURLcode) -> Result<HTTPTaskMetrics, HTTPError> {
        guard let exchange, !exchange.isCancelled else { return .failure(.cancelled) }
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            let message = String(cString: errorBuffer)
            let hasHead = reception.response != nil
            return .failure(
                CurlReport.error(for: code, of: easy, exchange: exchange, hasHead: hasHead, message: message)
            )
        }
        do throws(HTTPError) {
            try reception.finish()
            try upload.finish()
        } catch { return .failure(error) }
        if !reception.trailers.isEmpty { exchange.delegate.exchangeDidReceive(trailers: reception.trailers) }
        var metrics = CurlReport.metrics(of: easy, version: reception.response?.version)
        metrics.security = security
        return .success(metrics)
    }
}

// MARK: - Pauses

extension CurlHandle {
    /// Goes on after a pause.
    ///
    /// - Returns: The code with which the exchange has to be ended, if it has to: libcurl hands the bytes over at once
    ///   that it had kept, and where that fails it watches the handle no more.
    func resume() -> CURLcode? {
        guard isPauseWanted else { return nil }
        isPauseWanted = false
        patience.noteActivity(at: loop.now)
        loop.schedule(self)
        guard deliver() else { return CURLE_WRITE_ERROR }
        if let keptEnd { return isPauseWanted ? nil : keptEnd }
        guard isPaused, !isPauseWanted else { return nil }
        isPaused = false
        return proceed()
    }

    /// Goes on to send after the source of the body had nothing; see `resume()`.
    func resumeSending() -> CURLcode? {
        guard upload.proceed() else { return nil }
        patience.noteActivity(at: loop.now)
        loop.schedule(self)
        return proceed()
    }

    /// Lets libcurl go on in the directions in which nobody holds it back.
    private func proceed() -> CURLcode? {
        let receiving = isPaused ? CurlLibrary.holdReceiving : 0
        let sending = upload.isWaiting ? CurlLibrary.holdSending : 0
        let code = curl_easy_pause(easy, receiving | sending)
        return code == CURLE_OK ? nil : code
    }
}

// MARK: - What libcurl reports

extension CurlHandle {
    /// Makes the judge of a connection that libcurl is opening for the exchange.
    func makeCertificateCheck() -> CertificateCheck? {
        guard let exchange else { return nil }
        let url = exchange.request.url
        let policy = exchange.settings.trust.policy(for: url)
        certificateCheck = CertificateCheck(policy: policy, host: HostName.of(url))
        return certificateCheck
    }

    /// Whether the certificate of the connection was checked: a new one has a check, and a reused one had its own.
    private var isConnectionChecked: Bool {
        guard let exchange, exchange.request.url.scheme?.lowercased() == "https" else { return true }
        return certificateCheck != nil || !CurlReport.isConnectionNew(easy)
    }

    /// HTTP/3 makes its TLS without asking for a check.
    private func checkHTTP3(for exchange: CurlExchange) throws(HTTPError) {
        guard exchange.settings.versions == .http3 else { return }
        guard exchange.settings.trust.policy(for: exchange.request.url).pinning == .none else {
            throw .unsupportedFeature("HTTP/3 to hosts with pins")
        }
        guard CurlLibrary.supportsHTTP3 else { throw .unsupportedFeature("HTTP/3") }
    }

    /// libcurl waits for the socket on the exchange's behalf.
    func uses(_ socket: CInt) {
        if options.isPlain { self.socket = socket }
    }

    /// libcurl opens a connection for the exchange.
    func connectionOpened(_ socket: CInt) {
        tunnel = exchange.flatMap { CurlTunnel(for: $0) }
        loop.connectionOpened(socket)
    }

    /// The connection stands: from now on the idle limit counts.
    ///
    /// It may be the second one, after a reused connection turned out to be dead. libcurl rewinds for bytes alone that
    /// it has written to the first, and would lose those that it had only taken.
    func connectionReady() -> CInt {
        tunnel = nil
        patience.connected(at: loop.now)
        loop.schedule(self)
        guard isConnectionChecked else {
            let host = exchange.map { HostName.of($0.request.url) } ?? ""
            failure = .secureConnectionFailed(host: host, reason: "the certificate was not checked")
            return CURL_PREREQFUNC_ABORT
        }
        return rewind() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    /// A line of the header section or of the trailers has come.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard let exchange, !exchange.isCancelled, failure == nil else { return 0 }
        patience.noteActivity(at: loop.now)
        do throws(HTTPError) {
            guard try tunnel?.take(line) == nil else { return line.count }
            guard let response = try reception.take(line: line, url: exchange.request.url) else { return line.count }
            // The connection can be asked as long as the exchange has it.
            if !options.isPlain { security = CurlReport.security(of: easy) }
            if reception.needsRawBytes { options.watchRawBytes(of: easy) }
            if reception.hasExcess { options.forbidReuse(of: easy) }
            // After a refusal libcurl stops to send, yet would wait for the end of a pause.
            if upload.isWaiting { exchange.bodyIsReady() }
            exchange.delegate.exchangeDidReceive(response)
            return line.count
        } catch {
            failure = error
            return 0
        }
    }

    /// Bytes of the body have come.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let exchange, !exchange.isCancelled, failure == nil else { return 0 }
        patience.noteActivity(at: loop.now)
        // libcurl keeps the bytes and hands them over again once the transfer goes on.
        guard !isPauseWanted else {
            isPaused = true
            return CurlLibrary.pause
        }
        guard !bytes.isEmpty else { return 0 }
        do throws(HTTPError) {
            try reception.take(body: Data(bytes))
        } catch {
            failure = error
            return 0
        }
        return deliver() ? bytes.count : 0
    }

    /// Hands over what there is of the body, until the delegate wants a pause; false where the exchange has to end.
    private func deliver() -> Bool {
        guard let exchange else { return false }
        do throws(HTTPError) {
            while !isPauseWanted, !exchange.isCancelled, let chunk = try reception.nextChunk() {
                if exchange.delegate.exchangeDidReceive(chunk) == .pause { isPauseWanted = true }
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// libcurl shows what it read, or says something about it.
    func inspect(_ bytes: UnsafeRawBufferPointer, _ type: curl_infotype) {
        guard exchange != nil, failure == nil, reception.needsRawBytes else { return }
        if type == CURLINFO_DATA_IN {
            do throws(HTTPError) {
                try reception.inspect(raw: bytes)
            } catch {
                failure = error
                loop.sweepSoon()
            }
            if reception.hasExcess { options.forbidReuse(of: easy) }
        } else if type == CURLINFO_TEXT, bytes.starts(with: CurlLibrary.excessRemark) {
            options.forbidReuse(of: easy)
        }
    }

    /// libcurl has room for more of the body.
    func sendBody(into room: UnsafeMutableRawBufferPointer) -> Int {
        guard let exchange, !exchange.isCancelled else { return CurlLibrary.abort }
        let answer = upload.read(into: room)
        if let total = upload.report() { exchange.delegate.exchangeDidSend(bodyBytes: total) }
        switch answer {
        case .bytes(let count):
            patience.noteActivity(at: loop.now)
            return count
        case .end: return 0
        case .wait: return CurlLibrary.pause
        case .failed(let error):
            failure = error
            return CurlLibrary.abort
        }
    }

    /// libcurl sends the body again where a reused connection turned out to be dead.
    func rewind(to offset: curl_off_t, origin: CInt) -> CInt {
        origin == SEEK_SET && offset == 0 && rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    private func rewind() -> Bool {
        do throws(HTTPError) {
            try upload.rewind()
            return true
        } catch {
            failure = error
            return false
        }
    }
}
