import CCurl
public import Foundation
import MagpieConcurrency

/// The transport over libcurl: one thread of its own drives all exchanges.
///
/// Connections are kept and reused, HTTP/2 is multiplexed where the server offers it over TLS, names are looked up
/// without blocking the loop, certificates and host names are verified. The thread starts with the first exchange and
/// ends with the transport. Proxies named by the environment (`https_proxy`, `no_proxy`, …) are used.
public final class CurlTransport: HTTPTransport {
    private enum State {
        case idle
        case running(CurlInbox)
        case shutDown
    }

    /// What all exchanges of a transport share.
    public struct Limits: Sendable, Hashable {
        /// How many connections may be open; exchanges beyond wait, and their time-outs run.
        ///
        /// `nil` sets no limit.
        public var maximumConnections: Int?

        /// How many connections may be open to one host; `nil` sets no limit.
        public var maximumConnectionsPerHost: Int?

        /// How many connections are kept open for reuse.
        public var maximumIdleConnections: Int

        /// The file with the other places that servers name by `Alt-Svc` (RFC 7838), read and written by libcurl.
        ///
        /// `nil` does not follow the field.
        public var alternativeServicesFile: URL?

        /// Makes limits; as many connections are kept as a session runs tasks at once by default, and some.
        public init(
            maximumConnections: Int? = nil,
            maximumConnectionsPerHost: Int? = nil,
            maximumIdleConnections: Int = 100,
            alternativeServicesFile: URL? = nil
        ) {
            self.maximumConnections = maximumConnections
            self.maximumConnectionsPerHost = maximumConnectionsPerHost
            self.maximumIdleConnections = maximumIdleConnections
            self.alternativeServicesFile = alternativeServicesFile
        }
    }

    /// Whether the libcurl in use speaks HTTP/3.
    public static var supportsHTTP3: Bool { CurlLibrary.supportsHTTP3 }

    private let limits: Limits
    private let state = Lock(State.idle)

    /// Makes a transport; nothing is opened before the first exchange.
    public init(limits: Limits = .init()) { self.limits = limits }

    deinit { shutdown() }

    /// Starts one exchange; see `HTTPTransport`.
    public func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        if let problem = settings.trust.problem(with: request.url) {
            delegate.exchangeDidFinish(.failure(problem))
            return FinishedExchange()
        }
        switch runningInbox() {
        case .success(let inbox):
            let exchange = CurlExchange(request: request, settings: settings, delegate: delegate, inbox: inbox)
            if !inbox.post(.start(exchange)) { delegate.exchangeDidFinish(.failure(.cancelled)) }
            return exchange
        case .failure(let error):
            delegate.exchangeDidFinish(.failure(error))
            return FinishedExchange()
        }
    }

    /// Ends all exchanges and the thread; see `HTTPTransport`.
    public func shutdown() {
        let inbox = state.withLock { state -> CurlInbox? in
            defer { state = .shutDown }
            guard case .running(let inbox) = state else { return nil }
            return inbox
        }
        inbox?.close()
    }

    /// The inbox of the loop, which is started where none runs yet.
    private func runningInbox() -> Result<CurlInbox, HTTPError> {
        state.withLock { state in
            switch state {
            case .running(let inbox): return .success(inbox)
            case .shutDown: return .failure(.cancelled)
            case .idle: break
            }
            do throws(HTTPError) {
                let loop = try CurlLoop(limits: limits)
                Thread.detachNewThread { loop.run() }
                state = .running(loop.inbox)
                return .success(loop.inbox)
            } catch {
                return .failure(error)
            }
        }
    }
}
