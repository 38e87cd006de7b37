import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// RFC 6265bis §5.7, §5.8.
struct HTTPCookieJarTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// What a jar sends to `target` after `source` has set the cookies.
    private func sent(to target: String, after source: String, setting fields: String...) throws -> String? {
        let jar = HTTPCookieJar()
        try set(fields, in: jar, from: source)
        return jar.fieldValue(for: try url(target))
    }

    private func set(_ fields: [String], in jar: HTTPCookieJar, from source: String) throws {
        var response = HTTPResponse(status: 200, url: try url(source))
        response.headerFields[values: .setCookie] = fields
        jar.storeCookies(of: response)
    }

    /// Who sets, what, who is asked, whether the cookie is sent.
    @Test(arguments: [
        ("http://a.example.org/", "k=v", "http://a.example.org/x", true),
        ("http://a.example.org/", "k=v", "http://A.EXAMPLE.ORG:81/", true),
        ("http://a.example.org/", "k=v", "http://b.a.example.org/", false),
        ("http://a.example.org/", "k=v", "http://example.org/", false),
        ("http://a.example.org/", "k=v; Domain=example.org", "http://example.org/", true),
        ("http://a.example.org/", "k=v; Domain=.example.org", "http://b.c.example.org/", true),
        ("http://a.example.org/", "k=v; Domain=example.org", "http://badexample.org/", false),
        ("http://a.example.org/", "k=v; Domain=b.example.org", "http://b.example.org/", false),
        ("http://a.example.org/", "k=v; Domain=a.example.org.", "http://a.example.org/", false),
        ("http://a.example.org/", "k=v; Domain=other.net", "http://other.net/", false),
        ("http://a.example.org/", "k=v; Domain=org", "http://a.example.org/", false),
        ("http://a.example.co.uk/", "k=v; Domain=co.uk", "http://a.example.co.uk/", false),
        ("http://a.example.co.uk/", "k=v; Domain=example.co.uk", "http://b.example.co.uk/", true),
        ("http://someone.github.io/", "k=v; Domain=github.io", "http://someone.github.io/", false),
        ("http://github.io/", "k=v; Domain=github.io", "http://github.io/", true),
        ("http://github.io/", "k=v; Domain=github.io", "http://someone.github.io/", false),
        ("http://127.0.0.1/", "k=v", "http://127.0.0.1:99/", true),
        ("http://127.0.0.1/", "k=v; Domain=127.0.0.1", "http://127.0.0.1/", true),
        ("http://127.0.0.1/", "k=v; Domain=0.0.1", "http://127.0.0.1/", false),
        ("http://[::1]/", "k=v; Domain=::1", "http://[::1]/", true),
        ("http://localhost/", "k=v; Domain=localhost", "http://localhost/", true),
        ("http://localhost/", "k=v; Secure", "http://localhost/", true),
        ("http://example.org/a/b", "k=v", "http://example.org/a/", true),
        ("http://example.org/a/b", "k=v", "http://example.org/a", true),
        ("http://example.org/a/b", "k=v", "http://example.org/ab", false),
        ("http://example.org/a/b", "k=v", "http://example.org/", false),
        ("http://example.org/", "k=v; Path=/a", "http://example.org/a?q", true),
        ("http://example.org/", "k=v; Path=/a", "http://example.org/ab", false),
        ("http://example.org/", "k=v; Path=/a/", "http://example.org/a", false),
        ("https://example.org/", "k=v; Secure", "https://example.org/", true),
        ("https://example.org/", "k=v; Secure", "http://example.org/", false),
        ("http://example.org/", "k=v; Secure", "https://example.org/", false),
        ("https://example.org/", "__Secure-k=v; Secure", "https://example.org/", true),
        ("https://example.org/", "__secure-k=v", "https://example.org/", false),
        ("https://example.org/", "__Host-k=v; Secure; Path=/", "https://example.org/", true),
        ("https://example.org/", "__Host-k=v; Secure", "https://example.org/", false),
        ("https://example.org/", "__Host-k=v; Secure; Path=/; Domain=example.org", "https://example.org/", false),
        ("https://example.org/", "__Host-k=v; Path=/", "https://example.org/", false),
        ("https://example.org/", "=__Secure-k=v; Secure", "https://example.org/", false),
        ("http://example.org/", "k=v; Max-Age=0", "http://example.org/", false),
        ("http://example.org/", "k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://example.org/", false),
    ])
    func sendsWhatTheRulesAllow(_ source: String, _ field: String, _ target: String, _ isSent: Bool) throws {
        #expect(try (sent(to: target, after: source, setting: field) != nil) == isSent)
    }

    @Test func sendsLongPathsFirstAndThenTheOldest() throws {
        let fields = ["c=1", "b=2; Path=/x/y", "a=3", "d=4; Path=/x", "e=5; Domain=example.org", "c=6", "bare"]
        let jar = HTTPCookieJar()
        try set(fields, in: jar, from: "http://www.example.org/")
        #expect(jar.fieldValue(for: try url("http://www.example.org/x/y")) == "b=2; d=4; c=6; a=3; e=5; bare")
    }

    /// §5.7 steps 16 and 17: who listens on the line cannot replace a cookie that was set in private.
    @Test func leavesSecureCookiesAlone() throws {
        let jar = HTTPCookieJar()
        try set(["k=good; Secure; Domain=example.org; Path=/a"], in: jar, from: "https://www.example.org/a/")
        try set(["k=bad; Path=/a/b", "k=fine; Path=/"], in: jar, from: "http://www.example.org/")
        #expect(jar.fieldValue(for: try url("https://www.example.org/a/b")) == "k=good; k=fine")
        try set(["k=new; Domain=example.org; Path=/a"], in: jar, from: "https://www.example.org/")
        #expect(jar.fieldValue(for: try url("http://www.example.org/a")) == "k=new; k=fine")
    }

    @Test func expiresByTheClock() throws {
        let time = Lock(Date(timeIntervalSince1970: 1_750_000_000))
        let jar = HTTPCookieJar(now: { time.withLock { $0 } })
        try set(["k=v; Max-Age=60"], in: jar, from: "http://example.org/")
        #expect(jar.fieldValue(for: try url("http://example.org/")) == "k=v")
        time.withLock { $0 += 60 }
        #expect(jar.fieldValue(for: try url("http://example.org/")) == nil)
    }

    @Test func holdsTheLimitsAndDropsWhatWasNotUsed() throws {
        let time = Lock(Date(timeIntervalSince1970: 1_750_000_000))
        let jar = HTTPCookieJar(now: { time.withLock { $0 } })
        let source = "http://example.org/"
        for number in 0..<180 { try set(["k\(number)=v; Path=/\(number)"], in: jar, from: source) }
        time.withLock { $0 += 1 }
        #expect(jar.fieldValue(for: try url("http://example.org/0")) == "k0=v")
        try set(["new=v"], in: jar, from: source)
        #expect(jar.cookies.count == 180)
        #expect(jar.fieldValue(for: try url("http://example.org/0")) == "k0=v; new=v")
        #expect(jar.fieldValue(for: try url("http://example.org/1")) == "new=v")
        for number in 0..<3100 { try set(["k=v"], in: jar, from: "http://h\(number).test/") }
        #expect(jar.cookies.count <= 3000 && jar.cookies.count > 2500)
        #expect(jar.fieldValue(for: try url("http://h3099.test/")) == "k=v")
    }

    @Test func followsThePolicy() throws {
        var response = HTTPResponse(status: 200, url: try url("http://cdn.example.org/"))
        response.headerFields[values: .setCookie] = ["k=v", "s=v; SameSite=Strict"]
        let own = try url("http://www.example.org/")
        let foreign = try url("http://other.net/")
        let never = HTTPCookieJar(acceptPolicy: .never)
        never.storeCookies(of: response)
        #expect(never.cookies.isEmpty)
        let jar = HTTPCookieJar(acceptPolicy: .onlyFromMainDocumentDomain)
        jar.storeCookies(of: response, mainDocumentURL: foreign)
        #expect(jar.cookies.isEmpty)
        jar.storeCookies(of: response, mainDocumentURL: own)
        #expect(jar.cookies.count == 2)
        #expect(jar.fieldValue(for: response.url, mainDocumentURL: own) == "k=v; s=v")
        #expect(jar.fieldValue(for: response.url, mainDocumentURL: foreign) == "k=v")
        jar.acceptPolicy = .always
        jar.removeCookies()
        jar.storeCookies(of: response, mainDocumentURL: foreign)
        #expect(jar.cookies.map(\.name) == ["k"])
    }

    @Test func removesByDateAndByName() throws {
        let time = Lock(Date(timeIntervalSince1970: 1_750_000_000))
        let jar = HTTPCookieJar(now: { time.withLock { $0 } })
        try set(["a=1", "b=2"], in: jar, from: "http://example.org/")
        time.withLock { $0 += 10 }
        try set(["c=3"], in: jar, from: "http://example.org/")
        jar.deleteCookie(try #require(jar.cookies.first))
        jar.removeCookies(since: time.withLock { $0 })
        #expect(jar.cookies.map(\.name) == ["b"])
    }
}
