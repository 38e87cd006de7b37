import Foundation

/// What tells one version of a resource from another, byte for byte: a strong validator (RFC 9110 §8.8.1).
public enum HTTPValidator: Sendable, Hashable, Codable {
    /// A strong entity tag, in its quotes.
    case entityTag(String)
    /// A date of modification that is strong by the date of its answer.
    case lastModified(String)

    /// By how much an answer has to be younger than the modification, in seconds, for the date to be a strong validator
    /// (RFC 9110 §8.8.2.2): enough that two changes within a second, or clocks that differ, do not matter.
    private static let minimumAge: TimeInterval = 60

    /// The strong validator of an answer, if it has one.
    init?(of response: HTTPResponse) {
        if let tag = response.headerFields[.etag] {
            // A weak tag also says that the date is not to be relied on.
            guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let modified = response.headerFields[.lastModified], let date = response.headerFields[.date],
            let modification = HTTPDate.date(from: modified), let answer = HTTPDate.date(from: date),
            answer.timeIntervalSince(modification) >= Self.minimumAge
        else { return nil }
        self = .lastModified(modified)
    }

    /// The value of `If-Range` (RFC 9110 §13.1.5).
    var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether an answer says that it is of another version; one that says nothing does not.
    func isContradicted(by response: HTTPResponse) -> Bool {
        switch self {
        case .entityTag(let tag): response.headerFields[.etag].map { $0 != tag } ?? false
        case .lastModified(let date): response.headerFields[.lastModified].map { $0 != date } ?? false
        }
    }
}
