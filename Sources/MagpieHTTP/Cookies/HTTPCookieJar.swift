public import Foundation
import MagpieConcurrency

/// The cookies that servers have set, by the rules of RFC 6265bis: for one session, or shared by several.
///
/// Domains, paths, `Secure`, prefixes such as `__Host-`, public suffixes (libpsl's list), limits and the order of sending
/// are heeded; a machine's own servers (`localhost`, 127.0.0.1) count as secure. Kept in memory, and in a file where
/// `save()` is called. May be used from any thread.
public final class HTTPCookieJar: Sendable {
    /// The file that the jar was made with.
    public let file: URL?

    private struct State {
        var store = CookieStore()
        var acceptPolicy: HTTPCookieAcceptPolicy
    }

    private let state: Lock<State>
    private let now: @Sendable () -> Date

    /// Makes an empty jar.
    ///
    /// - Parameters:
    ///   - acceptPolicy: Whose cookies to accept.
    ///   - now: Tells the time.
    public init(
        acceptPolicy: HTTPCookieAcceptPolicy = .always,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        file = nil
        self.now = now
        state = Lock(State(acceptPolicy: acceptPolicy))
    }

    /// Makes a jar with the cookies of a file, which need not be there yet; reads it on the calling thread.
    ///
    /// - Parameters:
    ///   - file: A `cookies.txt` in Netscape's format, as curl and wget write it; lines that are none are left out.
    ///   - acceptPolicy: Whose cookies to accept.
    ///   - now: Tells the time.
    /// - Throws: `HTTPError.cookieFile` where the file is there and cannot be read.
    public init(
        file: URL,
        acceptPolicy: HTTPCookieAcceptPolicy = .always,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(HTTPError) {
        self.file = file
        self.now = now
        state = Lock(State(acceptPolicy: acceptPolicy))
        let time = now()
        for cookie in try CookieFile(file).read(now: time) { setCookie(cookie) }
    }

    /// Writes the cookies to the jar's file, on the calling thread; does nothing for a jar without one.
    ///
    /// The file is replaced as a whole, and only its owner can read it.
    ///
    /// - Parameter includingSessionCookies: Whether to keep what the servers meant to end with the session.
    /// - Throws: `HTTPError.cookieFile` where the file cannot be written.
    public func save(includingSessionCookies: Bool = false) throws(HTTPError) {
        guard let file else { return }
        let time = now()
        let kept = cookies.filter { !$0.isExpired(at: time) && (includingSessionCookies || !$0.isSessionOnly) }
        try CookieFile(file).write(kept)
    }

    /// Whose cookies to accept.
    public var acceptPolicy: HTTPCookieAcceptPolicy {
        get { state.withLock { $0.acceptPolicy } }
        set { state.withLock { $0.acceptPolicy = newValue } }
    }

    /// All cookies.
    public var cookies: [Cookie] { state.withLock { $0.store.all } }

    /// The cookies that are sent to the address, in their order.
    public func cookies(for url: URL) -> [Cookie] { cookies(for: url, mainDocumentURL: nil) }

    /// Stores a cookie as it is, in place of the one with its name, domain and path.
    public func setCookie(_ cookie: Cookie) {
        let time = now()
        state.withLock { $0.store.insert(cookie, now: time) }
    }

    /// Removes the cookie with the name, domain and path of this one.
    public func deleteCookie(_ cookie: Cookie) {
        state.withLock { _ = $0.store.remove(where: { cookie.replaces($0) }, in: cookie.domain) }
    }

    /// Removes all cookies that were set at `date` or later; without a date all.
    public func removeCookies(since date: Date = .distantPast) {
        state.withLock { $0.store.removeAll { $0.created >= date } }
    }

    /// Stores what the `Set-Cookie` fields of an answer set, as far as the rules and the policy allow.
    ///
    /// - Parameters:
    ///   - response: The answer; its `url` tells who sets.
    ///   - mainDocumentURL: On whose behalf it was asked for; `nil` stands for the answer's own address.
    public func storeCookies(of response: HTTPResponse, mainDocumentURL: URL? = nil) {
        let fields = response.headerFields[values: .setCookie]
        let policy = acceptPolicy
        guard !fields.isEmpty, policy != .never, let origin = CookieOrigin(response.url) else { return }
        let isSameSite = Self.isSameSite(origin, mainDocumentURL)
        guard isSameSite || policy == .always else { return }
        let time = now()
        let new = fields.compactMap { SetCookie($0, now: time) }
        state.withLock { state in
            for cookie in new { state.store.set(cookie, from: origin, isSameSite: isSameSite, now: time) }
        }
    }

    /// The value of the `Cookie` field for the address, or `nil` where there are no cookies for it.
    ///
    /// - Parameters:
    ///   - url: Where the request goes.
    ///   - mainDocumentURL: On whose behalf; cookies that are for their own site alone (`SameSite`) are not sent on that
    ///     of another.
    public func fieldValue(for url: URL, mainDocumentURL: URL? = nil) -> String? {
        let cookies = cookies(for: url, mainDocumentURL: mainDocumentURL)
        guard !cookies.isEmpty else { return nil }
        return cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func cookies(for url: URL, mainDocumentURL: URL?) -> [Cookie] {
        guard !state.withLock({ $0.store.isEmpty }), let origin = CookieOrigin(url) else { return [] }
        let isSameSite = Self.isSameSite(origin, mainDocumentURL)
        let time = now()
        return state.withLock { $0.store.cookies(for: origin, isSameSite: isSameSite, now: time) }
    }

    private static func isSameSite(_ origin: CookieOrigin, _ mainDocumentURL: URL?) -> Bool {
        guard let mainDocumentURL, let main = CookieOrigin(mainDocumentURL) else { return true }
        return main.site == origin.site
    }
}
