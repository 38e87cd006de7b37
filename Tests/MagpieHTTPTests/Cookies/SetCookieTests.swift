import Foundation
import Testing

@testable import MagpieHTTP

/// RFC 6265bis §5.1.1, §5.6.
struct SetCookieTests {
    private let now = Date(timeIntervalSince1970: 1_750_000_000)

    @Test(arguments: [
        ("a=b", "a", "b"), (" a = b ; x", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("=b", "", "b"),
        ("b", "", "b"), ("a=\"b c\"", "a", "\"b c\""),
    ])
    func readsNameAndValue(_ text: String, _ name: String, _ value: String) throws {
        let cookie = try #require(SetCookie(text, now: now))
        #expect(cookie.name == name && cookie.value == value)
    }

    @Test func refusesWhatSetsNothing() {
        #expect(SetCookie("", now: now) == nil)
        #expect(SetCookie("=", now: now) == nil)
        #expect(SetCookie("; Path=/", now: now) == nil)
        #expect(SetCookie("a=b\u{1}", now: now) == nil)
        #expect(SetCookie("a=" + String(repeating: "x", count: 4095), now: now) != nil)
        #expect(SetCookie("a=" + String(repeating: "x", count: 4096), now: now) == nil)
    }

    @Test func readsTheAttributes() throws {
        let text = "a=b; DOMAIN=.Example.COM; Path=/p; Secure; HttpOnly=x; samesite=LAX; Max-Age=60; Expires=foo"
        let cookie = try #require(SetCookie(text, now: now))
        #expect(cookie.domain == "example.com" && cookie.path == "/p" && cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == .lax && cookie.expires == now.addingTimeInterval(60))
        // The last of two counts, a path that is none falls back, an attribute that is too long is left out.
        let other = try #require(SetCookie("a=b; Path=/p; Path=q; Domain=x.y; Domain=", now: now))
        #expect(other.path == nil && other.domain == nil)
        let long = try #require(SetCookie("a=b; Path=/\(String(repeating: "x", count: 1024))", now: now))
        #expect(long.path == nil)
    }

    @Test func prefersMaxAge() throws {
        let date = "Wed, 18 Jun 2025 00:00:00 GMT"
        let lifetime = { (text: String) in
            try #require(SetCookie("a=b; \(text)", now: now)).expires?.timeIntervalSince(now)
        }
        #expect(try lifetime("Max-Age=60; Expires=\(date)") == 60)
        #expect(try lifetime("Expires=\(date); Max-Age=60") == 60)
        #expect(try #require(SetCookie("a=b; Expires=\(date)", now: now)).expires == HTTPDate.date(from: date))
        #expect(try #require(SetCookie("a=b; Max-Age=0", now: now)).expires == .distantPast)
        #expect(try #require(SetCookie("a=b; Max-Age=-5", now: now)).expires == .distantPast)
        for wrong in ["Max-Age=", "Max-Age=+5", "Max-Age=5x", "Max-Age=-"] { #expect(try lifetime(wrong) == nil) }
        // No longer than 400 days.
        #expect(try lifetime("Max-Age=99999999999999999999") == 34_560_000)
        #expect(try lifetime("Expires=Fri, 31 Dec 9999 23:59:59 GMT") == 34_560_000)
    }

    @Test(arguments: [
        "Wed, 09 Jun 2021 10:18:14 GMT", "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021",
        "09 June 2021 10:18:14 +0200", "10:18:14 2021 9 JUN", "9-jun-2021,10:18:14x", "Wed, 9th Jun 21 10:18:14",
    ])
    func readsDatesAsServersWriteThem(_ text: String) {
        #expect(CookieDate.date(from: text) == Date(timeIntervalSince1970: 1_623_233_894))
    }

    @Test(arguments: [
        "", "Wed, 09 Jun 2021", "10:18:14", "32 Jun 2021 10:18:14", "31 Jun 2021 10:18:14", "9 Jun 1600 10:18:14",
        "9 Jun 2021 24:18:14", "9 Jun 2021 10:60:14", "9 Jun 2021 10:18:60", "9 Jux 2021 10:18:14",
        "9 Jun 2021 110:18:14", "9 Jun 20211 10:18:14",
    ])
    func refusesDatesThatAreNone(_ text: String) { #expect(CookieDate.date(from: text) == nil) }

    @Test func putsTwoDigitsIntoTheirCentury() {
        let year = { (digits: String) in
            CookieDate.date(from: "1 Jan \(digits) 00:00:00").map { HTTPDate.string(from: $0).split(separator: " ")[3] }
        }
        #expect(year("70") == "1970" && year("69") == "2069" && year("99") == "1999" && year("00") == "2000")
    }
}
