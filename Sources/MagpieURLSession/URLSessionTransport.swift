import Foundation
import MagpieConcurrency
public import MagpieHTTP

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`: for programs that want the system's networking, and to compare with.
///
/// URLSession allows less than `CurlTransport`. An exchange whose trust rule it cannot keep (authorities of its own,
/// untrusted certificates, pinned keys) is refused. The connect limit is part of the idle limit. Fields of one name
/// arrive joined, and the order of names is lost. The version of the protocol is not known and given as HTTP/1.1.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let router = TaskRouter()

    /// Makes a transport.
    ///
    /// - Parameter configuration: How the URL session behaves; by default without cookies, credentials and a cache.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        // How many run at once is the HTTP session's to decide.
        configuration.httpMaximumConnectionsPerHost = 256
        session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
    }

    deinit { shutdown() }

    /// Starts one exchange; see `HTTPTransport`.
    public func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        let exchange = URLSessionExchange(request: request, settings: settings, delegate: delegate)
        if settings.trust != .system {
            let message = "URLSession cannot keep this rule of trust; use another transport"
            exchange.finish(.failure(.transport(code: URLError.unsupportedURL.rawValue, message: message)))
        } else if !router.start(exchange, in: session) {
            exchange.finish(.failure(.cancelled))
        }
        return exchange
    }

    /// Ends all exchanges; see `HTTPTransport`.
    public func shutdown() {
        if router.close() { session.invalidateAndCancel() }
    }
}

/// Hands what the URL session reports to the exchange it belongs to.
private final class TaskRouter: NSObject, URLSessionDataDelegate {
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    /// Starts the exchange; false where the router is closed.
    func start(_ exchange: URLSessionExchange, in session: URLSession) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            let task = session.dataTask(with: exchange.urlRequest)
            state.exchanges[task.taskIdentifier] = exchange
            exchange.run(task)
            return true
        }
    }

    /// Takes no more exchanges; false where it did not before.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error: error, response: task.response)
    }
}
