import Foundation
import MagpieConcurrency
import MagpieHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a `URLSessionTransport`.
final class URLSessionExchange: HTTPExchange {
    private struct State {
        var task: URLSessionDataTask?
        var hasHead = false
        var received = 0
        var isPaused = false
        /// The delegate took its pause back before it could be carried out.
        var isResumedEarly = false
        var isCancelled = false
        var isFinished = false
        var failure: HTTPError?
        var timer: (any DispatchSourceTimer)?
        var metrics = HTTPTaskMetrics()
    }

    private let request: HTTPRequest
    private let settings: HTTPTransportSettings
    private let delegate: any HTTPExchangeDelegate
    private let started = ContinuousClock.now
    private let state = Lock(State())

    init(request: HTTPRequest, settings: HTTPTransportSettings, delegate: any HTTPExchangeDelegate) {
        self.request = request
        self.settings = settings
        self.delegate = delegate
    }

    /// The request as URLSession wants it.
    var urlRequest: URLRequest {
        var urlRequest = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpBody = request.body?.data
        for field in request.headerFields {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if !settings.decompresses, !request.headerFields.contains(.acceptEncoding) {
            urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        // No limit is written as a week; zero would be none at all.
        urlRequest.timeoutInterval = settings.timeouts.idle?.seconds ?? 7 * 24 * 3600
        return urlRequest
    }

    /// Starts the URL session's task, unless the exchange was cancelled before.
    func run(_ task: URLSessionDataTask) {
        state.withLock { state in
            state.task = task
            state.timer = totalTimer(for: task)
        }
        task.resume()
    }

    func cancel() {
        let task = state.withLock { state -> URLSessionDataTask? in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    func resume() {
        let task = state.withLock { state -> URLSessionDataTask? in
            state.isResumedEarly = true
            guard state.isPaused else { return nil }
            state.isPaused = false
            return state.task
        }
        task?.resume()
    }

    /// Tells the delegate of the end, once.
    func finish(_ result: Result<HTTPTaskMetrics, HTTPError>) {
        let isFirst = state.withLock { state in
            defer {
                state.isFinished = true
                state.timer?.cancel()
                state.timer = nil
            }
            return !state.isFinished
        }
        if isFirst { delegate.exchangeDidFinish(result) }
    }

    private func totalTimer(for task: URLSessionDataTask) -> (any DispatchSourceTimer)? {
        guard let total = settings.timeouts.total else { return nil }
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + total.seconds)
        timer.setEventHandler { [weak self] in self?.abandon(.timedOut(stage: .total, after: total)) }
        timer.activate()
        return timer
    }

    private func abandon(_ error: HTTPError) {
        let task = state.withLock { state -> URLSessionDataTask? in
            state.failure = state.failure ?? error
            return state.task
        }
        task?.cancel()
    }
}

// MARK: - The answer, on the URL session's queue

extension URLSessionExchange {
    func receive(_ response: URLResponse) {
        guard let head = head(of: response) else { return }
        let isWanted = state.withLock { state in
            guard !state.hasHead, !state.isCancelled, state.failure == nil else { return false }
            state.hasHead = true
            state.metrics.firstByte = .now - started
            return true
        }
        if isWanted { delegate.exchangeDidReceive(head) }
    }

    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let isWanted = state.withLock { state in
            guard state.hasHead, !state.isCancelled, state.failure == nil else { return false }
            state.received += data.count
            state.isResumedEarly = false
            return true
        }
        guard isWanted else { return }
        if let limit = settings.maximumResponseSize, state.withLock({ $0.received }) > limit {
            return abandon(.responseTooLarge(limit: limit))
        }
        guard delegate.exchangeDidReceive(data) == .pause else { return }
        state.withLock { state in
            // Suspensions are counted, and a chunk may still come after one.
            guard !state.isResumedEarly, !state.isPaused else { return }
            state.isPaused = true
            state.task?.suspend()
        }
    }

    func complete(error: (any Error)?, response: URLResponse?) {
        // A redirect that is not followed is not reported as a response by every version of Foundation.
        if error == nil, let response { receive(response) }
        let (failure, isCancelled, metrics) = state.withLock { state in
            state.metrics.bytesReceived = Int64(state.received)
            state.metrics.total = .now - started
            state.metrics.version = .http1_1
            return (state.failure, state.isCancelled, state.metrics)
        }
        if let failure { return finish(.failure(failure)) }
        if isCancelled { return finish(.failure(.cancelled)) }
        if let error { return finish(.failure(translate(error))) }
        finish(state.withLock { $0.hasHead } ? .success(metrics) : .failure(.malformedResponse(reason: "no response")))
    }

    private func head(of response: URLResponse) -> HTTPResponse? {
        guard let response = response as? HTTPURLResponse else { return nil }
        let fields = response.allHeaderFields.compactMap { key, value -> HTTPField? in
            guard let key = key as? String, let name = HTTPField.Name(key) else { return nil }
            return HTTPField(name: name, value: "\(value)")
        }
        return HTTPResponse(
            status: .init(code: response.statusCode),
            headerFields: HTTPFields(fields),
            url: response.url ?? request.url
        )
    }

    private func translate(_ error: any Error) -> HTTPError {
        guard let error = error as? URLError else {
            return .transport(code: (error as NSError).code, message: error.localizedDescription)
        }
        let host = request.url.host() ?? ""
        switch error.code {
        case .cancelled: return .cancelled
        case .badURL: return .invalidURL(request.url.absoluteString)
        case .unsupportedURL: return .unsupportedScheme(request.url.scheme ?? "", request.url)
        case .cannotFindHost, .dnsLookupFailed: return .unknownHost(host)
        case .cannotConnectToHost:
            return .cannotConnect(host: host, port: HTTPPort.of(request.url), reason: "connection refused or lost")
        case .timedOut: return .timedOut(stage: .idle, after: settings.timeouts.idle ?? .zero)
        case .networkConnectionLost: return .connectionLost(reason: error.localizedDescription)
        case .badServerResponse, .cannotParseResponse: return .malformedResponse(reason: error.localizedDescription)
        case .secureConnectionFailed: return .secureConnectionFailed(host: host, reason: error.localizedDescription)
        case .serverCertificateUntrusted:
            return .untrustedCertificate(host: host, problem: .other(error.localizedDescription))
        default: return .transport(code: error.errorCode, message: error.localizedDescription)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
