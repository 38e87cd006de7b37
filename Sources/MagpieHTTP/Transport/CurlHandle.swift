import CCurl
import Foundation

/// One easy handle of libcurl and the exchange it carries at the moment.
///
/// Handles are reused: what never changes is set once, the rest anew for each exchange. Confined to the loop's thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer

    /// The place in the loop's list of active handles.
    var activeIndex = 0

    /// The judge of the certificates, where the exchange opened a connection with TLS.
    private(set) var certificateCheck: CertificateCheck?

    private unowned let loop: CurlLoop
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var options = CurlOptions()
    private var exchange: CurlExchange?
    private var head = ResponseHeadParser()
    private var response: HTTPResponse?
    private var failure: HTTPError?
    private var received: Int64 = 0
    private var upload = CurlUpload()
    private var patience = CurlPatience()
    private var isPauseWanted = false
    /// Whether libcurl holds received bytes back.
    private var isPaused = false

    /// Makes a handle, or nothing where memory is short.
    init?(loop: CurlLoop) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.loop = loop
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        CurlOptions.setConstants(of: easy, errorBuffer: errorBuffer)
        CurlTrust.setConstants(of: easy)
        connectCallbacks()
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
        return context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes the exchange on and sets the options for it.
    func prepare(for exchange: CurlExchange) throws(HTTPError) {
        upload = try CurlUpload(exchange.request.body) { [weak exchange] in exchange?.bodyIsReady() }
        self.exchange = exchange
        exchange.handle = self
        errorBuffer.pointee = 0
        certificateCheck = nil
        head.reset()
        response = nil
        failure = nil
        received = 0
        isPauseWanted = false
        isPaused = false
        patience = CurlPatience(exchange.settings.timeouts, now: loop.now)
        options.set(of: easy, for: exchange)
    }

    /// Lets the exchange go, once libcurl has done with the handle.
    func release() -> CurlExchange? {
        let exchange = exchange
        exchange?.handle = nil
        self.exchange = nil
        response = nil
        upload.close()
        upload = CurlUpload()
        return exchange
    }

    /// Makes the judge of a connection that libcurl is opening for the exchange.
    func makeCertificateCheck() -> CertificateCheck? {
        guard let exchange else { return nil }
        let url = exchange.request.url
        let policy = exchange.settings.trust.policy(for: url)
        certificateCheck = CertificateCheck(policy: policy, host: HostName.of(url))
        return certificateCheck
    }

    /// Goes on after a pause.
    ///
    /// - Returns: What became of the bytes that libcurl had kept and hands over at once. Where that failed, libcurl
    ///   watches the handle no more, and it has to be ended.
    func resume() -> CURLcode {
        guard isPauseWanted else { return CURLE_OK }
        isPauseWanted = false
        patience.noteActivity(at: loop.now)
        loop.schedule(self)
        guard isPaused else { return CURLE_OK }
        isPaused = false
        return proceed()
    }

    /// Goes on to send after the source of the body had nothing.
    ///
    /// - Returns: As `resume()`.
    func resumeSending() -> CURLcode {
        guard upload.proceed() else { return CURLE_OK }
        patience.noteActivity(at: loop.now)
        loop.schedule(self)
        return proceed()
    }

    /// Lets libcurl go on in the directions in which nobody holds it back.
    private func proceed() -> CURLcode {
        curl_easy_pause(
            easy,
            (isPaused ? CurlLibrary.holdReceiving : 0) | (upload.isWaiting ? CurlLibrary.holdSending : 0)
        )
    }

    /// Whether this side holds the transfer back, so that the server's silence is no fault of its.
    private var isHeldBack: Bool { isPauseWanted || upload.isWaiting }

    /// When the loop has to look at the time-outs.
    var deadline: Int64 { patience.deadline(isPaused: isHeldBack) }

    /// The error where a time-out has passed.
    func overdueStage(at now: Int64) -> HTTPError? { patience.overdue(at: now, isPaused: isHeldBack) }

    /// The result of the exchange that libcurl ended with `code`.
    func result(for code: CURLcode) -> Result<HTTPTaskMetrics, HTTPError> {
        if let failure { return .failure(failure) }
        if code == CURLE_OK {
            guard let response else { return .failure(.malformedResponse(reason: "no header section")) }
            if let excess = upload.excess() { return .failure(excess) }
            return .success(CurlReport.metrics(of: easy, version: response.version))
        }
        guard let exchange, !exchange.isCancelled else { return .failure(.cancelled) }
        return .failure(
            CurlReport.error(for: code, of: easy, exchange: exchange, message: String(cString: errorBuffer))
        )
    }
}

// MARK: - Callbacks

extension CurlHandle {
    private func connectCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_PREREQDATA, CURLOPT_SSL_CTX_DATA,
        ] {
            magpie_easy_set_pointer(easy, option, context)
        }
        // A connection outlives the handle that opened it, but never the loop.
        let loopContext = Unmanaged.passUnretained(loop).toOpaque()
        magpie_easy_set_pointer(easy, CURLOPT_SOCKOPTDATA, loopContext)
        magpie_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, loopContext)
        magpie_easy_set_open_callback(easy) { context, socket, _ in
            context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }?.connectionOpened(socket)
            return CURL_SOCKOPT_OK
        }
        magpie_easy_set_close_callback(easy) { context, socket in
            context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }?.connectionClosed(socket)
            return 0
        }
        magpie_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
        }
        magpie_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
        }
        magpie_easy_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
            return CurlHandle.from(context)?.sendBody(into: room) ?? CurlLibrary.abort
        }
        magpie_easy_set_seek_callback(easy) { context, offset, origin in
            CurlHandle.from(context)?.rewind(to: offset, origin: origin) ?? CURL_SEEKFUNC_FAIL
        }
        magpie_easy_set_ready_callback(easy) { context, _, _, _, _ in
            CurlHandle.from(context)?.connectionReady() ?? CURL_PREREQFUNC_ABORT
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The connection stands: from now on the idle limit counts.
    ///
    /// It may be the second one, after a reused connection turned out to be dead. libcurl rewinds for bytes alone that
    /// it has written to the first, and would lose those that it had only taken.
    private func connectionReady() -> CInt {
        patience.connected(at: loop.now)
        loop.schedule(self)
        return rewind() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard let exchange, !exchange.isCancelled else { return 0 }
        patience.noteActivity(at: loop.now)
        guard let response = head.consume(line, url: exchange.request.url) else { return line.count }
        self.response = response
        // After a refusal libcurl stops to send, yet would wait for the end of a pause.
        if upload.isWaiting { exchange.bodyIsReady() }
        if let limit = exchange.settings.maximumResponseSize, exchange.request.method != .head,
            let length = response.contentLength, length > limit, !response.headerFields.contains(.contentEncoding)
        {
            failure = .responseTooLarge(limit: limit)
            return 0
        }
        exchange.delegate.exchangeDidReceive(response)
        return line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let exchange, !exchange.isCancelled else { return 0 }
        patience.noteActivity(at: loop.now)
        // libcurl keeps the bytes and hands them over again once the transfer goes on.
        guard !isPauseWanted else {
            isPaused = true
            return CurlLibrary.pause
        }
        guard !bytes.isEmpty else { return 0 }
        guard head.isComplete else {
            failure = .malformedResponse(reason: "no header section")
            return 0
        }
        received += Int64(bytes.count)
        if let limit = exchange.settings.maximumResponseSize, received > limit {
            failure = .responseTooLarge(limit: limit)
            return 0
        }
        if exchange.delegate.exchangeDidReceive(Data(bytes)) == .pause { isPauseWanted = true }
        return bytes.count
    }

    private func sendBody(into room: UnsafeMutableRawBufferPointer) -> Int {
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
    private func rewind(to offset: curl_off_t, origin: CInt) -> CInt {
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
