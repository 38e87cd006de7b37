import Foundation

/// Keeps to TLS with the hosts that asked for it (HSTS, RFC 6797), over any other transport.
///
/// The outermost of a session's transports, so that all others see the address that is really asked.
struct HSTSTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let store: HSTSStore

    /// The transport `base`, made to behave as the setting says.
    static func over(_ base: any HTTPTransport, _ setting: HTTPStrictTransport) -> any HTTPTransport {
        switch setting {
        case .session: HSTSTransport(base: base, store: HSTSStore())
        case .store(let store): HSTSTransport(base: base, store: store)
        case .off: base
        }
    }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        var request = request
        request.url = store.secured(request.url)
        // Nothing is believed that did not come over TLS.
        if request.url.absoluteString.hasPrefix("http:") {
            return base.start(request, settings: settings, delegate: delegate)
        }
        // Nor where the certificate, or the name in it, was not looked at (RFC 6797 §8.1).
        let policy = settings.trust.policy(for: request.url)
        let isVerified = policy.validatesDomainName && !policy.allowsInvalidCertificates
        let listener = isVerified ? HSTSListener(delegate: delegate, store: store) : delegate
        return base.start(request, settings: settings, delegate: listener)
    }

    func shutdown() { base.shutdown() }
}

/// Notes what the servers ask for, and passes everything on.
private final class HSTSListener: HTTPExchangeRelay {
    let delegate: any HTTPExchangeDelegate
    private let store: HSTSStore

    init(delegate: any HTTPExchangeDelegate, store: HSTSStore) {
        self.delegate = delegate
        self.store = store
    }

    func exchangeDidReceive(_ response: HTTPResponse) {
        // Of several fields the first counts (RFC 6797 §8.1).
        if let value = response.headerFields[values: .strictTransportSecurity].first,
            response.url.scheme?.lowercased() == "https"
        {
            store.note(value, from: response.url)
        }
        delegate.exchangeDidReceive(response)
    }
}
