import Foundation

/// How long a server wants to be left alone (RFC 9110 §10.2.3).
enum RetryAfter {
    /// The wait that the response asks for, or `nil` where it asks for none; at most a year.
    static func delay(of response: HTTPResponse, now: Date) -> Duration? {
        guard let value = response.headerFields[values: .retryAfter].first else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(value) ?? longest, longest))
        }
        guard let date = HTTPDate.date(from: value, now: now) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
    }

    private static let longest: Int64 = 365 * 24 * 3600
}
