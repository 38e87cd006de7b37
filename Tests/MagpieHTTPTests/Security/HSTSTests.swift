import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Hosts that want TLS only (RFC 6797).
@Suite(.timeLimit(.minutes(1)))
struct HSTSTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [
        ("max-age=31536000", 31_536_000, false), ("max-age=15768000 ; includeSubDomains", 15_768_000, true),
        ("max-age=\"31536000\"", 31_536_000, false), ("INCLUDESUBDOMAINS; Max-Age=0", 0, true),
        (";; max-age = 5 ;preload; x=\"y\";", 5, false), ("max-age=99999999999999999999", 316_224_000, false),
    ])
    func fields(value: String, age: Int, includesSubdomains: Bool) throws {
        let field = try #require(HSTSField(value))
        #expect(field.maximumAge == age)
        #expect(field.includesSubdomains == includesSubdomains)
    }

    @Test(arguments: [
        "", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=1; max-age=2", "max-age=1s",
    ])
    func malformedFields(value: String) {
        #expect(HSTSField(value) == nil)
    }

    @Test func namesAndTheirSubdomains() throws {
        let store = HSTSStore()
        try store.note("max-age=60; includeSubDomains", from: url("https://Example.com/a"))
        try store.note("max-age=60", from: url("https://www.lone.example/"))
        #expect(store.contains("example.com") && store.contains("EXAMPLE.com.") && store.contains("a.b.example.com"))
        #expect(!store.contains("notexample.com") && !store.contains("com"))
        #expect(store.contains("www.lone.example"))
        #expect(!store.contains("lone.example") && !store.contains("a.www.lone.example"))
        try store.note("max-age=0", from: url("https://example.com/"))
        #expect(!store.contains("example.com") && !store.contains("a.b.example.com"))
    }

    @Test func addressesAndMalformedValuesAreIgnored() throws {
        let store = HSTSStore()
        try store.note("max-age=60", from: url("https://127.0.0.1/"))
        try store.note("max-age=60", from: url("https://[::1]/"))
        try store.note("max-age=sixty", from: url("https://a.example/"))
        #expect(!store.contains("127.0.0.1") && !store.contains("::1") && !store.contains("a.example"))
    }

    @Test func securedAddresses() throws {
        let store = HSTSStore()
        try store.note("max-age=60", from: url("https://h.example/"))
        for (asked, secured) in [
            ("http://h.example/a?b=c#d", "https://h.example/a?b=c#d"), ("HTTP://H.EXAMPLE:80/", "https://H.EXAMPLE/"),
            ("http://h.example:8080/", "https://h.example:8080/"),
            ("http://u:p@h.example/%20", "https://u:p@h.example/%20"),
            ("http://other.example/", "http://other.example/"), ("https://h.example:80/", "https://h.example:80/"),
        ] {
            #expect(try store.secured(url(asked)).absoluteString == secured)
        }
    }

    @Test func timePasses() throws {
        let now = Lock(Date(timeIntervalSince1970: 1_000_000))
        let store = HSTSStore(file: nil, now: { now.withLock { $0 } })
        try store.note("max-age=60", from: url("https://h.example/"))
        now.withLock { $0 += 59 }
        #expect(store.contains("h.example"))
        now.withLock { $0 += 1 }
        #expect(!store.contains("h.example"))
    }

    /// The file is that of `curl --hsts`.
    @Test func aFileOutlivesTheStore() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "hsts.txt")
        let now = Date(timeIntervalSince1970: 1_798_761_600)
        let store = HSTSStore(file: file, now: { now })
        try store.note("max-age=86400; includeSubDomains", from: url("https://h.example/"))
        try store.note("max-age=60", from: url("https://g.example/"))
        let expected = "g.example \"20270101 00:01:00\"\n.h.example \"20270102 00:00:00\"\n"
        #expect(await eventually { (try? String(contentsOf: file, encoding: .utf8)) == expected })
        let next = HSTSStore(file: file, now: { now })
        #expect(next.contains("a.h.example") && next.contains("g.example") && !next.contains("a.g.example"))
        try Data(
            "# comment\nnonsense\n. \"x\"\nh2.example \"99999999 99:99:99\"\nok.example \"20990101 00:00:00\"\n\0".utf8
        )
        .write(to: file)
        let damaged = HSTSStore(file: file)
        #expect(damaged.contains("ok.example") && !damaged.contains("h2.example"))
    }
}

/// A transport that tells its delegate everything there is to tell.
private struct TalkativeTransport: HTTPTransport {
    private final class Exchange: HTTPExchange {
        func cancel() {}
        func resume() {}
    }

    func start(
        _ request: HTTPRequest,
        settings: HTTPTransportSettings,
        delegate: any HTTPExchangeDelegate
    ) -> any HTTPExchange {
        delegate.exchangeDidSend(bodyBytes: 7)
        let fields: HTTPFields = [.strictTransportSecurity: "max-age=60"]
        delegate.exchangeDidReceive(HTTPResponse(status: .ok, headerFields: fields, url: request.url))
        _ = delegate.exchangeDidReceive(Data("chunk".utf8))
        delegate.exchangeDidReceive(trailers: [.server: "s"])
        delegate.exchangeDidFinish(.failure(.cancelled))
        return Exchange()
    }

    func shutdown() {}
}

private final class Listener: HTTPExchangeDelegate {
    let heard = Lock<[String]>([])

    private func note(_ text: String) { heard.withLock { $0.append(text) } }

    func exchangeDidSend(bodyBytes total: Int64) { note("sent \(total)") }
    func exchangeDidReceive(_ response: HTTPResponse) { note("\(response.url.absoluteString)") }
    func exchangeDidReceive(_ chunk: Data) -> HTTPFlow {
        note("body")
        return .proceed
    }
    func exchangeDidReceive(trailers: HTTPFields) { note("trailers \(trailers[.server] ?? "")") }
    func exchangeDidFinish(_ result: Result<HTTPTaskMetrics, HTTPError>) { note("end") }
}

/// The layer that keeps to TLS, over a transport without a network.
struct HSTSTransportTests {
    /// Asked for with `http`, a host that is known was asked with `https`: a redirect there stays with its origin.
    @Test func aRedirectStartsFromWhatWasReallyAsked() throws {
        let asked = HTTPRequest(
            url: try #require(URL(string: "http://h.example/a")),
            headerFields: [.authorization: "Bearer t"]
        )
        let answered = try #require(URL(string: "https://h.example/a"))
        for (location, next, keeps) in [
            ("https://h.example/b", "https://h.example/b", true), ("c", "https://h.example/c", true),
            ("http://h.example/d", "http://h.example/d", false), ("//g.example/", "https://g.example/", false),
        ] {
            let response = HTTPResponse(status: 302, headerFields: [.location: location], url: answered)
            let request = try #require(try HTTPRedirectPolicy.follow.followUp(to: asked, after: response, count: 0))
            #expect(request.url.absoluteString == next)
            #expect(request.headerFields.contains(.authorization) == keeps)
        }
    }

    @Test func passesEverythingOn() throws {
        let store = HSTSStore()
        let transport = HSTSTransport.over(TalkativeTransport(), .store(store))
        for (asked, url) in [
            ("http://h.example/", "http://h.example/"), ("https://h.example/", "https://h.example/"),
            ("http://h.example/", "https://h.example/"),
        ] {
            let listener = Listener()
            let request = HTTPRequest(url: try #require(URL(string: asked)))
            _ = transport.start(request, settings: .init(), delegate: listener)
            #expect(listener.heard.withLock { $0 } == ["sent 7", url, "body", "trailers s", "end"])
            #expect(store.contains("h.example") == url.hasPrefix("https"))
        }
    }
}

/// HSTS in a session, shown by nginx.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct HSTSSessionTests {
    private let server: NginxServer

    init() async throws {
        server = try await NginxServer.shared()
        try Data("strict".utf8).write(to: server.root.appending(path: "strict"))
    }

    /// The address of a TLS port with the scheme `http`.
    private func plain(_ path: String) throws -> HTTPRequest {
        var components = try #require(
            URLComponents(url: server.url(path, through: .secure), resolvingAgainstBaseURL: true)
        )
        components.scheme = "http"
        return HTTPRequest(url: try #require(components.url))
    }

    private func learn(_ session: HTTPSession) async throws {
        let request = HTTPRequest(url: server.url("/hsts/strict", through: .secure))
        #expect(try await session.data(for: request).headerFields[.strictTransportSecurity] == "max-age=600")
    }

    @Test func aKnownHostIsAskedOverTLS() async throws {
        let session = HTTPSession(configuration: .init(trust: .init(caFile: server.caFile)))
        #expect(try await session.data(for: plain("/strict")).status.code == 400)
        try await learn(session)
        let answer = try await session.data(for: plain("/strict"))
        #expect(answer.body == Data("strict".utf8))
        #expect(answer.response.url == server.url("/strict", through: .secure))
        #expect(answer.metrics.version == .http2)
    }

    @Test func sessionsKnowTheirOwnHostsOnly() async throws {
        let trust = HTTPTrust(caFile: server.caFile)
        try await learn(HTTPSession(configuration: .init(trust: trust)))
        let other = HTTPSession(configuration: .init(trust: trust))
        #expect(try await other.data(for: plain("/strict")).status.code == 400)
        let store = HSTSStore()
        try await learn(HTTPSession(configuration: .init(trust: trust, strictTransport: .store(store))))
        let sharing = HTTPSession(configuration: .init(trust: trust, strictTransport: .store(store)))
        #expect(try await sharing.data(for: plain("/strict")).status.code == 200)
        let off = HTTPSession(configuration: .init(trust: trust, strictTransport: .off))
        try await learn(off)
        #expect(try await off.data(for: plain("/strict")).status.code == 400)
    }

    /// A server whose certificate was merely tolerated may be anybody (RFC 6797 §8.1).
    @Test func nothingIsLearntFromWhoIsNotTrusted() async throws {
        let store = HSTSStore()
        let careless = HTTPTrust(allowsUntrustedCertificates: true)
        try await learn(HTTPSession(configuration: .init(trust: careless, strictTransport: .store(store))))
        #expect(!store.contains("localhost"))
        let nameless = HTTPTrust(policy: .init(authorities: .file(server.caFile), validatesDomainName: false))
        try await learn(HTTPSession(configuration: .init(trust: nameless, strictTransport: .store(store))))
        #expect(!store.contains("localhost"))
    }
}
