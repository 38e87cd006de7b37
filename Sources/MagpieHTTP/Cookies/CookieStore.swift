import Foundation

/// The cookies of a jar and the rules by which they are kept and found: a value without effects (RFC 6265bis §5.7, §5.8).
struct CookieStore {
    typealias Cookie = HTTPCookieJar.Cookie

    /// By domain; in each the oldest first.
    private var domains: [String: [Cookie]] = [:]
    private(set) var count = 0
    private var lastCreation = Date.distantPast

    /// How many cookies there are for one domain, and together (§6.1 asks for 50 and 3000 at least).
    static let maximumPerDomain = 180
    static let maximumCount = 3000

    var isEmpty: Bool { count == 0 }

    /// All cookies, those of one domain together and in the order of their making.
    var all: [Cookie] { domains.sorted { $0.key < $1.key }.flatMap(\.value) }

    /// The cookies for a request, as they are to be sent: longer paths first, then older cookies (§5.8.3).
    mutating func cookies(for origin: CookieOrigin, isSameSite: Bool = true, now: Date) -> [Cookie] {
        var found: [Cookie] = []
        for domain in Self.domains(above: origin) {
            guard var cookies = domains[domain] else { continue }
            for index in cookies.indices {
                guard Self.fits(cookies[index], origin, isSameSite: isSameSite, now: now) else { continue }
                cookies[index].lastAccess = now
                found.append(cookies[index])
            }
            domains[domain] = cookies
        }
        return found.enumerated().sorted { left, right in
            let lengths = (left.element.path.utf8.count, right.element.path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            if left.element.created != right.element.created { return left.element.created < right.element.created }
            return left.offset < right.offset
        }
        .map(\.element)
    }

    /// Stores what a server has set, if it may (§5.7).
    mutating func set(_ new: SetCookie, from origin: CookieOrigin, isSameSite: Bool = true, now: Date) {
        var domain = new.domain
        if let wanted = domain, origin.isIPAddress || PublicSuffixes.contains(wanted) {
            // A server may name itself, wherever it is.
            guard wanted == origin.host else { return }
            domain = nil
        }
        if let domain, !origin.isIn(domain) { return }
        if new.isSecure && !origin.isSecure { return }
        if !isSameSite && (new.sameSite == .strict || new.sameSite == .lax) { return }
        let cookie = Cookie(
            name: new.name,
            value: new.value,
            domain: domain ?? origin.host,
            isHostOnly: domain == nil,
            path: new.path ?? origin.defaultPath,
            expires: new.expires,
            isSecure: new.isSecure,
            isHTTPOnly: new.isHTTPOnly,
            sameSite: new.sameSite,
            // Those of one answer are of one moment, and keep their order.
            created: max(now, lastCreation.addingTimeInterval(0.000_001))
        )
        guard Self.keepsPromise(cookie, explicitPath: new.path) else { return }
        if !cookie.isSecure && !origin.isSecure && wouldHideSecureCookie(cookie) { return }
        lastCreation = cookie.created
        insert(cookie, now: now)
    }

    /// Stores a cookie in place of the one that it replaces, or removes that where the new one has expired.
    mutating func insert(_ cookie: Cookie, now: Date) {
        var cookie = cookie
        if let old = remove(where: { cookie.replaces($0) }, in: cookie.domain) { cookie.created = old.created }
        guard !cookie.isExpired(at: now) else { return }
        var cookies = domains[cookie.domain] ?? []
        let place = cookies.firstIndex { $0.created > cookie.created } ?? cookies.endIndex
        cookies.insert(cookie, at: place)
        domains[cookie.domain] = cookies
        count += 1
        if cookies.count > Self.maximumPerDomain { makeRoom(in: cookie.domain, now: now) }
        if count > Self.maximumCount { makeRoom(now: now) }
    }

    @discardableResult
    mutating func remove(where isUnwanted: (Cookie) -> Bool, in domain: String) -> Cookie? {
        guard let place = domains[domain]?.firstIndex(where: isUnwanted) else { return nil }
        count -= 1
        let cookie = domains[domain]?.remove(at: place)
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        return cookie
    }

    mutating func removeAll(where isUnwanted: (Cookie) -> Bool) {
        domains = domains.mapValues { $0.filter { !isUnwanted($0) } }.filter { !$0.value.isEmpty }
        count = domains.reduce(0) { $0 + $1.value.count }
    }
}

// MARK: - Rules

extension CookieStore {
    /// The host and the domains above it.
    private static func domains(above origin: CookieOrigin) -> [String] {
        guard !origin.isIPAddress else { return [origin.host] }
        var domains: [String] = []
        var rest = origin.host[...]
        while true {
            domains.append(String(rest))
            guard let dot = rest.firstIndex(of: ".") else { return domains }
            rest = rest[rest.index(after: dot)...]
        }
    }

    private static func fits(_ cookie: Cookie, _ origin: CookieOrigin, isSameSite: Bool, now: Date) -> Bool {
        guard !cookie.isExpired(at: now), cookie.isHostOnly ? cookie.domain == origin.host : origin.isIn(cookie.domain)
        else { return false }
        guard CookieOrigin.path(origin.path, isBelow: cookie.path), !cookie.isSecure || origin.isSecure else {
            return false
        }
        return isSameSite || cookie.sameSite == nil || cookie.sameSite == .some(.none)
    }

    /// Whether the cookie is what its name says: `__Secure-`, `__Host-` (§4.1.3).
    private static func keepsPromise(_ cookie: Cookie, explicitPath: String?) -> Bool {
        let name = cookie.name.lowercased()
        if name.isEmpty {
            // Sent without a name, the value would be taken for one.
            let value = cookie.value.lowercased()
            return !value.hasPrefix("__secure-") && !value.hasPrefix("__host-")
        }
        if name.hasPrefix("__secure-") { return cookie.isSecure }
        if name.hasPrefix("__host-") { return cookie.isSecure && cookie.isHostOnly && explicitPath == "/" }
        return true
    }

    /// Whether a secure cookie would no longer be seen for the new one, which came over an insecure connection (§5.7).
    private func wouldHideSecureCookie(_ cookie: Cookie) -> Bool {
        domains.contains { domain, cookies in
            let isRelated =
                domain == cookie.domain || CookieOrigin.isBelow(domain, cookie.domain)
                || CookieOrigin.isBelow(cookie.domain, domain)
            return isRelated
                && cookies.contains {
                    $0.isSecure && $0.name == cookie.name && CookieOrigin.path(cookie.path, isBelow: $0.path)
                }
        }
    }

    /// Drops what has expired, else what is not secure, else what was not used for longest (§5.7).
    private mutating func makeRoom(in domain: String, now: Date) {
        let cookies = domains[domain] ?? []
        let kept = cookies.filter { !$0.isExpired(at: now) }
        count -= cookies.count - kept.count
        domains[domain] = kept
        guard kept.count > Self.maximumPerDomain else { return }
        let candidates = kept.contains { !$0.isSecure } ? kept.filter { !$0.isSecure } : kept
        guard let oldest = candidates.min(by: { $0.lastAccess < $1.lastAccess }) else { return }
        remove(where: { $0.replaces(oldest) }, in: domain)
    }

    private mutating func makeRoom(now: Date) {
        removeAll { $0.isExpired(at: now) }
        guard count > Self.maximumCount else { return }
        // A tenth at once, so that not each new cookie has to look at all.
        let oldest = domains.values.joined().sorted { $0.lastAccess < $1.lastAccess }.prefix(Self.maximumCount / 10)
        for cookie in oldest { remove(where: { $0.replaces(cookie) }, in: cookie.domain) }
    }
}
