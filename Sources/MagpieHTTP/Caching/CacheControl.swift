public import Foundation

/// The directives of `Cache-Control` fields, of a request or of a response (RFC 9111 §5.2, RFC 5861, RFC 8246).
///
/// Unknown directives are left out. Of one that is repeated the most restrictive value counts. Times are in seconds, at
/// most 2³¹; a time that cannot be read is zero, so that what it belongs to counts as stale.
public struct CacheControl: Sendable, Hashable {
    /// Store nothing.
    public var noStore = false
    /// Use nothing stored without asking the server; with field names or without.
    public var noCache = false
    /// Never use what is stale, not even where the server cannot be reached.
    public var mustRevalidate = false
    /// As `mustRevalidate`, for shared caches.
    public var proxyRevalidate = false
    /// For one user alone.
    public var isPrivate = false
    /// May be stored where it otherwise could not.
    public var isPublic = false
    /// Will not change while it is fresh (RFC 8246).
    public var isImmutable = false
    /// Not to be changed on the way.
    public var noTransform = false
    /// To be stored only by those who know the status code.
    public var mustUnderstand = false
    /// Answer from the cache or not at all.
    public var onlyIfCached = false
    /// How old it may become and be fresh; in a request, how old it may be.
    public var maxAge: TimeInterval?
    /// As `maxAge`, for shared caches.
    public var sharedMaxAge: TimeInterval?
    /// How long the answer may have been stale already; infinite where any time will do.
    public var maxStale: TimeInterval?
    /// How long the answer has to stay fresh.
    public var minFresh: TimeInterval?
    /// How long a stale answer may be used while it is validated (RFC 5861 §3).
    public var staleWhileRevalidate: TimeInterval?
    /// How long a stale answer may be used where the server fails (RFC 5861 §4).
    public var staleIfError: TimeInterval?

    /// Makes a set of no directives.
    public init() {}

    /// Reads the value of a field, such as `max-age=60, must-revalidate`.
    public init(_ value: String) {
        for (name, argument) in Self.directives(in: value) { apply(name, argument) }
    }

    /// Reads the `Cache-Control` fields; where there are none, `Pragma: no-cache` stands for `no-cache` (RFC 9111 §5.4).
    public init(_ fields: HTTPFields) {
        if let value = fields[.cacheControl] {
            self.init(value)
        } else {
            self.init()
            guard let pragma = fields[.pragma] else { return }
            noCache = Self.directives(in: pragma).contains { $0.name == "no-cache" }
        }
    }

    private mutating func apply(_ name: String, _ argument: String?) {
        switch name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "private": isPrivate = true
        case "public": isPublic = true
        case "immutable": isImmutable = true
        case "no-transform": noTransform = true
        case "must-understand": mustUnderstand = true
        case "only-if-cached": onlyIfCached = true
        default: applyTime(name, argument)
        }
    }

    private mutating func applyTime(_ name: String, _ argument: String?) {
        let time = Self.seconds(argument)
        let shorter = { (old: TimeInterval?) in min(old ?? .infinity, time) }
        switch name {
        case "max-age": maxAge = shorter(maxAge)
        case "s-maxage": sharedMaxAge = shorter(sharedMaxAge)
        case "max-stale": maxStale = argument == nil ? maxStale ?? .infinity : shorter(maxStale)
        case "min-fresh": minFresh = max(minFresh ?? 0, time)
        case "stale-while-revalidate": staleWhileRevalidate = shorter(staleWhileRevalidate)
        case "stale-if-error": staleIfError = shorter(staleIfError)
        default: break
        }
    }

    /// RFC 9111 §1.2.2: too large a number is 2³¹.
    static func seconds(_ text: String?) -> TimeInterval {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return 0 }
        let limit: TimeInterval = 2_147_483_648
        return min(Int64(text).map(TimeInterval.init) ?? limit, limit)
    }
}

// MARK: - Reading

extension CacheControl {
    /// The directives of a field with their arguments, unquoted; names in lower case.
    private static func directives(in value: String) -> [(name: String, argument: String?)] {
        var found: [(name: String, argument: String?)] = []
        var rest = value[...]
        while true {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            guard !rest.isEmpty else { return found }
            let name = rest.prefix { $0 != "," && $0 != "=" }
            rest = rest[name.endIndex...]
            var argument: String?
            if rest.first == "=" {
                rest.removeFirst()
                argument = rest.first == "\"" ? quotedString(&rest) : token(&rest)
                rest = rest.drop { $0 != "," }
            }
            found.append((name.trimmingCharacters(in: .whitespaces).lowercased(), argument))
        }
    }

    private static func token(_ rest: inout Substring) -> String {
        let word = rest.prefix { $0 != "," }
        rest = rest[word.endIndex...]
        return word.trimmingCharacters(in: .whitespaces)
    }

    /// A quoted string (RFC 9110 §5.6.4); one that does not end holds the rest.
    private static func quotedString(_ rest: inout Substring) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            text.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        return text
    }
}
