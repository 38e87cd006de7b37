import Foundation

/// Whether and how far a session follows redirects (RFC 9110 §15.4).
public struct HTTPRedirectPolicy: Sendable, Hashable {
    /// How many redirects are followed for one task; one more ends it with `HTTPError.tooManyRedirects`.
    ///
    /// Zero follows none and hands the redirect over as the response.
    public let limit: Int

    /// Whether `Authorization` and `Cookie` go along where a redirect leads to another origin; off by default.
    ///
    /// Another scheme, host or port is another origin: also `http` after `https`.
    public var keepsCredentials = false

    /// Follows up to `limit` redirects; a negative limit counts as zero.
    public static func follow(limit: Int) -> Self { Self(limit: max(0, limit)) }

    /// Follows up to ten redirects.
    public static let follow = Self(limit: 10)

    /// Follows none.
    public static let none = Self(limit: 0)

    /// Whether the response is a redirect to follow.
    func follows(_ response: HTTPResponse) -> Bool {
        limit > 0 && Self.isRedirect(response.status) && response.headerFields.contains(.location)
    }

    /// What to ask next, or `nil` where the response is to be handed over as it is.
    ///
    /// - Parameters:
    ///   - request: What was asked.
    ///   - response: What was answered.
    ///   - count: How many redirects were followed before.
    func followUp(
        to request: HTTPRequest,
        after response: HTTPResponse,
        count: Int
    ) throws(HTTPError) -> HTTPRequest? {
        guard follows(response), let location = response.headerFields[.location] else { return nil }
        guard count < limit else { throw .tooManyRedirects(limit: limit) }
        // What was really asked: `https` where HSTS made it so of `http`.
        let source = response.url
        guard let target = Self.resolve(location, against: source) else {
            throw .badRedirect(location: location, from: source)
        }
        var next = request
        next.url = target
        Self.changeMethod(of: &next, after: response.status)
        if !HTTPOrigin.isSame(target, source) {
            next.headerFields[.host] = nil
            if !keepsCredentials { Self.removeCredentials(of: &next) }
        }
        return next
    }

    /// What belongs to the origin it was given for, and is not shown to another.
    private static func removeCredentials(of request: inout HTTPRequest) {
        request.credential = nil
        for name in fieldsOfCredentials { request.headerFields[name] = nil }
    }

    /// The fields that belong to the origin they were given for.
    static let fieldsOfCredentials: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]

    /// What describes a body, and goes with it.
    private static let fieldsOfBody: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .transferEncoding,
    ]

    private static func isRedirect(_ status: HTTPResponse.Status) -> Bool {
        [301, 302, 303, 307, 308].contains(status.code)
    }

    /// The address that a `Location` names (RFC 9110 §10.2.2); it inherits the fragment where it has none.
    private static func resolve(_ location: String, against base: URL) -> URL? {
        guard let target = URL(string: location, relativeTo: base)?.absoluteURL, HTTPOrigin.isLoadable(target) else {
            return nil
        }
        guard target.fragment == nil, let fragment = base.fragment(percentEncoded: true) else { return target }
        return URL(string: "\(target.absoluteString)#\(fragment)") ?? target
    }

    /// 303 asks for a GET; after 301 and 302 a POST becomes one, as everyone does it (RFC 9110 §15.4.2 to §15.4.4).
    private static func changeMethod(of request: inout HTTPRequest, after status: HTTPResponse.Status) {
        let becomesGet =
            switch status.code {
            case 303: request.method != .head && request.method != .get
            case 301, 302: request.method == .post
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        request.body = nil
        for name in fieldsOfBody { request.headerFields[name] = nil }
    }
}
