import Foundation
import MagpieHTTP
import Testing

/// RFC 9111 §5.2, RFC 5861, RFC 8246.
struct CacheControlTests {
    @Test func readsEveryDirective() {
        let control = CacheControl(
            """
            no-store, No-Cache="Set-Cookie, X", must-revalidate, proxy-revalidate, private, public, immutable, \
            no-transform, must-understand, only-if-cached, max-age=1, s-maxage=2, max-stale=3, min-fresh=4, \
            stale-while-revalidate=5, stale-if-error=6
            """
        )
        var expected = CacheControl()
        expected.noStore = true
        expected.noCache = true
        expected.mustRevalidate = true
        expected.proxyRevalidate = true
        expected.isPrivate = true
        expected.isPublic = true
        expected.isImmutable = true
        expected.noTransform = true
        expected.mustUnderstand = true
        expected.onlyIfCached = true
        expected.maxAge = 1
        expected.sharedMaxAge = 2
        expected.maxStale = 3
        expected.minFresh = 4
        expected.staleWhileRevalidate = 5
        expected.staleIfError = 6
        #expect(control == expected)
    }

    @Test(
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), (" , ,max-age=60,,", 60),
            ("max-age=60;x", 0), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=1.5", 0),
            ("max-age=x", 0),
            ("max-age=60, max-age=30", 30), ("max-age=30, max-age=60", 30), ("ext=\"max-age=1, x\", max-age=60", 60),
            ("ext=\"a\\\", max-age=1\", max-age=60", 60), ("max-age=99999999999999999999999", 2_147_483_648),
            ("max-age=4294967296", 2_147_483_648), ("x=\"unterminated, max-age=60", nil), ("", nil),
        ] as [(String, TimeInterval?)]
    )
    func readsTheAge(_ text: String, _ age: TimeInterval?) { #expect(CacheControl(text).maxAge == age) }

    @Test func takesAnyStalenessWhereNoTimeIsGiven() {
        #expect(CacheControl("max-stale").maxStale == .infinity)
        #expect(CacheControl("max-stale, max-stale=5").maxStale == 5)
        #expect(CacheControl("max-stale=5, max-stale").maxStale == 5)
    }

    @Test func readsPragmaWhereNothingElseIsSaid() {
        #expect(CacheControl([.pragma: "no-cache"] as HTTPFields).noCache)
        #expect(!CacheControl([.pragma: "no-cache", .cacheControl: "max-age=1"] as HTTPFields).noCache)
        #expect(CacheControl([.cacheControl: "max-age=9", .cacheControl: "no-store"] as HTTPFields).noStore)
    }
}
