import Foundation
import MagpieHTTP
import Testing

/// RFC 9111 §4.2.
struct HTTPFreshnessTests {
    private static let noon = Date(timeIntervalSince1970: 1_750_000_000)

    private static func date(_ seconds: TimeInterval) -> String {
        HTTPDate.string(from: noon.addingTimeInterval(seconds))
    }

    private func freshness(
        _ fields: HTTPFields,
        status: HTTPResponse.Status = 200,
        delay: TimeInterval = 0
    ) throws -> HTTPFreshness {
        let url = try #require(URL(string: "http://host/"))
        let response = HTTPResponse(status: status, headerFields: fields, url: url)
        return HTTPFreshness(
            of: response,
            requestTime: Self.noon.addingTimeInterval(-delay),
            responseTime: Self.noon
        )
    }

    @Test func takesTheLifetimeOfThePrivateCache() throws {
        let fields: HTTPFields = [
            .cacheControl: "s-maxage=5, max-age=60", .expires: Self.date(10), .date: Self.date(0),
        ]
        let freshness = try freshness(fields)
        #expect(freshness.lifetime == 60 && !freshness.isHeuristic)
        #expect(freshness.isFresh(at: Self.noon.addingTimeInterval(59)))
        #expect(!freshness.isFresh(at: Self.noon.addingTimeInterval(60)))
        #expect(freshness.staleness(at: Self.noon.addingTimeInterval(70)) == 10)
        #expect(freshness.expiry == Self.noon.addingTimeInterval(60))
    }

    @Test func reckonsExpiresByTheServersClock() throws {
        #expect(try freshness([.expires: Self.date(1100), .date: Self.date(1000)]).lifetime == 100)
        #expect(try freshness([.expires: Self.date(100)]).lifetime == 100)
        #expect(try freshness([.expires: Self.date(-100)]).lifetime == 0)
        for text in ["0", "-1", "never", ""] { #expect(try freshness([.expires: text]).lifetime == 0) }
    }

    @Test func guessesATenthAndAtMostADay() throws {
        let fields: HTTPFields = [.lastModified: Self.date(-1000), .date: Self.date(0)]
        #expect(try freshness(fields).lifetime == 100)
        #expect(try freshness(fields).isHeuristic)
        #expect(try freshness([.lastModified: Self.date(-1e8)]).lifetime == 86_400)
        #expect(try freshness([.lastModified: Self.date(1000)]).lifetime == 0)
        #expect(try freshness([:]).lifetime == 0)
        #expect(try freshness(fields, status: 302).lifetime == 0)
        #expect(try freshness(fields, status: 404).lifetime == 100)
    }

    @Test func addsUpTheAge() throws {
        // §4.2.3: the larger of what the clocks say and what the caches on the way have counted with the delay.
        #expect(try freshness([.age: "10"], delay: 2).initialAge == 12)
        #expect(try freshness([.date: Self.date(-30), .age: "10"], delay: 2).initialAge == 30)
        #expect(try freshness([.date: Self.date(30)]).initialAge == 0)
        #expect(try freshness([.age: "x"]).initialAge == 0)
        #expect(try freshness([.age: "5"]).age(at: Self.noon.addingTimeInterval(7)) == 12)
        // A clock that was set back makes nothing younger.
        #expect(try freshness([.age: "5"]).age(at: Self.noon.addingTimeInterval(-7)) == 5)
    }
}
