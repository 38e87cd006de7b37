import Foundation

/// How long a server wants to be left alone (RFC 9110 §10.2.3).
enum RetryAfter {
    /// The wait that the response asks for, or `nil` where it asks for none; at most a year.
    static func delay(of response: HTTPResponse, now: Date) -> Duration? {
        guard let value = response.headerFields[values: .retryAfter].first else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(value) ?? longest, longest))
        }
        guard let date = date(of: value) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
    }

    private static let longest: Int64 = 365 * 24 * 3600

    /// The three forms of a date in HTTP (RFC 9110 §5.6.7).
    private static func date(of value: String) -> Date? {
        for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = format
            if let date = formatter.date(from: value) { return date }
        }
        return nil
    }
}
