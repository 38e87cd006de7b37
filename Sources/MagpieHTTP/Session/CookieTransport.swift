import Foundation

/// Sends the cookies of a jar with each exchange, and keeps in it what the answers set.
///
/// Below a session each redirect passes through it, with the cookies of its own host.
final class CookieTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let jar: HTTPCookieJar

    init(base: any HTTPTransport, jar: HTTPCookieJar) {
        self.base = base
        self.jar = jar
    }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        guard request.handlesCookies else { return base.start(request, settings: settings, delegate: delegate) }
        let relay = CookieRelay(jar: jar, mainDocumentURL: request.mainDocumentURL, delegate: delegate)
        guard !request.headerFields.contains(.cookie),
            let value = jar.fieldValue(for: request.url, mainDocumentURL: request.mainDocumentURL)
        else { return base.start(request, settings: settings, delegate: relay) }
        var request = request
        request.headerFields[.cookie] = value
        return base.start(request, settings: settings, delegate: relay)
    }

    func shutdown() { base.shutdown() }
}

/// Reads what an answer sets on its way to the delegate.
private final class CookieRelay: HTTPExchangeRelay {
    private let jar: HTTPCookieJar
    private let mainDocumentURL: URL?
    let delegate: any HTTPExchangeDelegate

    init(jar: HTTPCookieJar, mainDocumentURL: URL?, delegate: any HTTPExchangeDelegate) {
        self.jar = jar
        self.mainDocumentURL = mainDocumentURL
        self.delegate = delegate
    }

    func exchangeDidReceive(_ response: HTTPResponse) {
        jar.storeCookies(of: response, mainDocumentURL: mainDocumentURL)
        delegate.exchangeDidReceive(response)
    }
}
