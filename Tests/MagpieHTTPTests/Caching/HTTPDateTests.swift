import Foundation
import MagpieHTTP
import Testing

/// RFC 9110 §5.6.7.
struct HTTPDateTests {
    private let example = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 06-Nov-1994 08:49:37 GMT",
    ])
    func readsAllForms(_ text: String) { #expect(HTTPDate.date(from: text) == example) }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT",
    ])
    func refusesWhatIsNone(_ text: String) { #expect(HTTPDate.date(from: text) == nil) }

    @Test func readsALeapSecond() {
        let date = HTTPDate.date(from: "Sat, 31 Dec 2016 23:59:60 GMT")
        #expect(date == HTTPDate.date(from: "Sun, 01 Jan 2017 00:00:00 GMT"))
    }

    /// A year of two digits that seems more than 50 years ahead is the last such year.
    @Test func putsTwoDigitsIntoTheRightCentury() throws {
        let now = try #require(HTTPDate.date(from: "Thu, 01 Jan 2026 00:00:00 GMT"))
        let past = HTTPDate.date(from: "Friday, 01-Jan-77 00:00:00 GMT", now: now)
        let future = HTTPDate.date(from: "Wednesday, 01-Jan-76 00:00:00 GMT", now: now)
        #expect(past == HTTPDate.date(from: "Sat, 01 Jan 1977 00:00:00 GMT"))
        #expect(future == HTTPDate.date(from: "Wed, 01 Jan 2076 00:00:00 GMT"))
    }

    @Test func writes() {
        #expect(HTTPDate.string(from: example.addingTimeInterval(0.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.string(from: .distantPast) == "Mon, 01 Jan 0001 00:00:00 GMT")
        #expect(HTTPDate.date(from: HTTPDate.string(from: .distantFuture)) == .distantFuture)
    }
}
