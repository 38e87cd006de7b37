public import Foundation

/// How long an answer is fresh and how old it is: the reckoning of a private cache (RFC 9111 §4.2).
public struct HTTPFreshness: Sendable, Hashable {
    /// How old the answer may become and be fresh, in seconds.
    public let lifetime: TimeInterval

    /// Whether the server said nothing of the lifetime, so that it was guessed from `Last-Modified`.
    public let isHeuristic: Bool

    /// How old the answer was when it came, in seconds.
    public let initialAge: TimeInterval

    private let responseTime: Date

    /// Reckons with the fields of an answer.
    ///
    /// - Parameters:
    ///   - response: The answer's head.
    ///   - requestTime: When it was asked for.
    ///   - responseTime: When it came.
    public init(of response: HTTPResponse, requestTime: Date, responseTime: Date) {
        self.responseTime = responseTime
        let fields = response.headerFields
        let date = Self.date(.date, in: fields) ?? responseTime
        let control = CacheControl(fields)
        if let maxAge = control.maxAge {
            lifetime = maxAge
            isHeuristic = false
        } else if let expires = fields[values: .expires].first {
            // "Expires: 0" and the like mean that it has expired (§5.3).
            lifetime = HTTPDate.date(from: expires, now: responseTime).map { max(0, $0.timeIntervalSince(date)) } ?? 0
            isHeuristic = false
        } else {
            lifetime = Self.guessedLifetime(of: response, isPublic: control.isPublic, date: date)
            isHeuristic = true
        }
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        initialAge = max(apparentAge, CacheControl.seconds(fields[values: .age].first) + delay)
    }

    /// How old the answer is, in seconds, at most 2³¹ (RFC 9111 §1.2.2).
    public func age(at now: Date) -> TimeInterval {
        min(initialAge + max(0, now.timeIntervalSince(responseTime)), 2_147_483_648)
    }

    /// Whether the answer may be used without asking the server, as far as its age goes.
    public func isFresh(at now: Date) -> Bool { lifetime > age(at: now) }

    /// For how long the answer has been stale, in seconds; negative while it is fresh.
    public func staleness(at now: Date) -> TimeInterval { age(at: now) - lifetime }

    /// When the answer becomes stale.
    public var expiry: Date { responseTime.addingTimeInterval(lifetime - initialAge) }

    /// A tenth of the time since the last change, at most a day (§4.2.2).
    private static func guessedLifetime(of response: HTTPResponse, isPublic: Bool, date: Date) -> TimeInterval {
        guard isPublic || isHeuristicallyCacheable(response.status),
            let modified = self.date(.lastModified, in: response.headerFields)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(modified) / 10), 24 * 3600)
    }

    /// Whether an answer of this status may be stored without a word of the server on its lifetime (RFC 9110 §15.1).
    public static func isHeuristicallyCacheable(_ status: HTTPResponse.Status) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status.code)
    }

    private static func date(_ name: HTTPField.Name, in fields: HTTPFields) -> Date? {
        fields[values: name].first.flatMap { HTTPDate.date(from: $0) }
    }
}
