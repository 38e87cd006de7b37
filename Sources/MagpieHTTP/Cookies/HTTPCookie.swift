public import Foundation

extension HTTPCookieJar {
    /// A cookie as it is stored (RFC 6265bis §5.7).
    public struct Cookie: Sendable, Hashable {
        /// For which requests from other sites' pages a cookie is meant.
        public enum SameSite: String, Sendable, Hashable {
            /// For none.
            case strict = "Strict"
            /// For none but those that open a page.
            case lax = "Lax"
            /// For all.
            case none = "None"
        }

        /// The name; may be empty.
        public var name: String

        /// The value; may be empty.
        public var value: String

        /// The host or domain that the cookie is for, in lower case and without a dot in front.
        public var domain: String

        /// Whether the cookie is for the host alone, and not for those below it.
        public var isHostOnly: Bool

        /// The path at and below which the cookie is sent.
        public var path: String

        /// When the cookie ends; `nil` where it ends with the session.
        public var expires: Date?

        /// Whether the cookie is sent over secure connections only.
        public var isSecure: Bool

        /// Whether the cookie is kept from scripts, which this library has none of; kept for others who read the file.
        public var isHTTPOnly: Bool

        /// For which requests from other sites' pages the cookie is meant, where the server said so.
        public var sameSite: SameSite?

        /// When the cookie was first set.
        public var created: Date

        /// When the cookie was last sent or set.
        public var lastAccess: Date

        /// Makes a cookie.
        public init(
            name: String,
            value: String,
            domain: String,
            isHostOnly: Bool = true,
            path: String = "/",
            expires: Date? = nil,
            isSecure: Bool = false,
            isHTTPOnly: Bool = false,
            sameSite: SameSite? = nil,
            created: Date = Date(),
            lastAccess: Date? = nil
        ) {
            self.name = name
            self.value = value
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
            self.expires = expires
            self.isSecure = isSecure
            self.isHTTPOnly = isHTTPOnly
            self.sameSite = sameSite
            self.created = created
            self.lastAccess = lastAccess ?? created
        }

        /// Whether the cookie ends with the session.
        public var isSessionOnly: Bool { expires == nil }

        func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

        /// Whether both cannot be stored beside each other.
        func replaces(_ other: Self) -> Bool {
            name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
        }
    }
}
