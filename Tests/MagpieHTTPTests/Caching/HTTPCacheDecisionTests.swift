import Foundation
import Testing

@testable import MagpieHTTP

/// RFC 9111 §4, §5.2, RFC 5861, RFC 8246: what is done with an answer of a certain age.
struct HTTPCacheDecisionTests {
    typealias Policy = HTTPRequest.CachePolicy

    private static let noon = Date(timeIntervalSince1970: 1_750_000_000)
    private static let url = URL(filePath: "/x")

    private static func head(_ control: String) -> HTTPCacheEntry.Head {
        HTTPCacheEntry.Head(
            response: HTTPResponse(status: 200, headerFields: [.cacheControl: control], url: url),
            requestTime: noon,
            responseTime: noon
        )
    }

    private static func request(_ control: String, _ policy: Policy = .useProtocolCachePolicy) -> HTTPRequest {
        var request = HTTPRequest(url: url, headerFields: control.isEmpty ? [:] : [.cacheControl: control])
        request.cachePolicy = policy
        return request
    }

    /// Response directives, request directives, age in seconds, decision.
    @Test(
        arguments: [
            ("max-age=60", "", 59, .serve(isStale: false)),
            ("max-age=60", "", 60, .validate),
            ("max-age=60, no-cache", "", 0, .validate),
            ("max-age=60", "no-cache", 0, .validate),
            ("max-age=60", "max-age=10", 10, .serve(isStale: false)),
            ("max-age=60", "max-age=10", 11, .validate),
            ("max-age=60", "max-age=0", 1, .validate),
            ("max-age=60", "min-fresh=20", 40, .serve(isStale: false)),
            ("max-age=60", "min-fresh=20", 41, .validate),
            ("max-age=60", "max-stale=10", 70, .serve(isStale: true)),
            ("max-age=60", "max-stale=10", 71, .validate),
            ("max-age=60", "max-stale", 1e9, .serve(isStale: true)),
            ("max-age=60, must-revalidate", "max-stale", 61, .validate),
            ("max-age=60, proxy-revalidate", "max-stale", 61, .serve(isStale: true)),
            ("max-age=60, stale-while-revalidate=30", "", 59, .serve(isStale: false)),
            ("max-age=60, stale-while-revalidate=30", "", 90, .serveAndValidate),
            ("max-age=60, stale-while-revalidate=30", "", 91, .validate),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", "", 61, .validate),
            ("max-age=60, stale-while-revalidate=30", "max-age=100", 61, .validate),
            ("max-age=60, stale-while-revalidate=30", "only-if-cached", 61, .serve(isStale: true)),
            ("max-age=60", "only-if-cached", 1, .serve(isStale: false)),
            ("max-age=60", "only-if-cached", 61, .gatewayTimeout),
            ("", "", 0, .validate),
        ] as [(String, String, TimeInterval, HTTPCacheDecision)]
    )
    func followsTheDirectives(_ stored: String, _ wanted: String, _ age: TimeInterval, _ decision: HTTPCacheDecision) {
        let now = Self.noon.addingTimeInterval(age)
        #expect(HTTPCacheDecision(for: Self.request(wanted), stored: Self.head(stored), now: now) == decision)
    }

    @Test(
        arguments: [
            (Policy.reloadIgnoringLocalCacheData, 0, HTTPCacheDecision.load),
            (.returnCacheDataElseLoad, 0, .serve(isStale: false)),
            (.returnCacheDataElseLoad, 99, .serve(isStale: true)),
            (.returnCacheDataDontLoad, 99, .serve(isStale: true)), (.reloadRevalidatingCacheData, 0, .validate),
        ] as [(Policy, TimeInterval, HTTPCacheDecision)]
    )
    func followsThePolicy(_ policy: Policy, _ age: TimeInterval, _ decision: HTTPCacheDecision) {
        let now = Self.noon.addingTimeInterval(age)
        let stored = Self.head("max-age=60")
        #expect(HTTPCacheDecision(for: Self.request("", policy), stored: stored, now: now) == decision)
    }

    @Test func knowsWhatToDoWithNothing() {
        let decision = { HTTPCacheDecision(for: $0, stored: nil, now: Self.noon) }
        #expect(decision(Self.request("")) == .load)
        #expect(decision(Self.request("only-if-cached")) == .gatewayTimeout)
        #expect(decision(Self.request("", .returnCacheDataElseLoad)) == .load)
        #expect(decision(Self.request("", .returnCacheDataDontLoad)) == .notInCache)
    }

    /// RFC 8246 §2: not even a reload asks about what will not change.
    @Test func leavesTheImmutableAlone() {
        let request = Self.request("", .reloadRevalidatingCacheData)
        let stored = Self.head("max-age=60, immutable")
        let fresh = HTTPCacheDecision(for: request, stored: stored, now: Self.noon)
        let stale = HTTPCacheDecision(for: request, stored: stored, now: Self.noon.addingTimeInterval(60))
        #expect(fresh == .serve(isStale: false) && stale == .validate)
    }

    /// What was validated after a request was made answers it, even where it has to be validated each time.
    @Test func sharesAValidation() {
        let later = Self.noon.addingTimeInterval(1)
        let decision = { (arrival: Date?) in
            HTTPCacheDecision(for: Self.request(""), stored: Self.head("no-cache"), now: later, arrival: arrival)
        }
        #expect(decision(nil) == .validate)
        #expect(decision(Self.noon) == .serve(isStale: false))
        #expect(decision(later) == .validate)
    }

    /// Response directives, request directives, grace, age in seconds, whether a failing server may be covered.
    @Test(
        arguments: [
            ("max-age=60, stale-if-error=30", "", 0, 90, true), ("max-age=60, stale-if-error=30", "", 0, 91, false),
            ("max-age=60", "stale-if-error=30", 0, 90, true), ("max-age=60", "", 0, 61, false),
            ("max-age=60", "", 100, 160, true), ("max-age=60", "", 100, 161, false),
            ("max-age=60, stale-if-error=0", "", 100, 61, false),
            ("max-age=60, stale-if-error=30, must-revalidate", "", 100, 61, false),
            ("max-age=60, no-cache", "", 100, 61, false), ("max-age=60", "no-cache, stale-if-error=30", 100, 61, false),
            ("max-age=60", "max-age=5", 0, 10, true),
        ] as [(String, String, TimeInterval, TimeInterval, Bool)]
    )
    func coversAFailingServer(
        _ stored: String,
        _ wanted: String,
        _ grace: TimeInterval,
        _ age: TimeInterval,
        _ expected: Bool
    ) {
        let now = Self.noon.addingTimeInterval(age)
        let isAllowed = HTTPCacheDecision.allowsStaleOnError(
            for: Self.request(wanted),
            stored: Self.head(stored),
            now: now,
            grace: grace
        )
        #expect(isAllowed == expected)
    }
}
