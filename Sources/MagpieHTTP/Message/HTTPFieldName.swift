extension HTTPField {
    /// The name of a header field: a token of RFC 9110 §5.6.2 that is equal to another without regard to case.
    public struct Name: Sendable {
        /// The name with the letters as they were given.
        public let rawName: String

        /// The name in lower case, as HTTP/2 writes it.
        public let canonicalName: String

        /// Makes a name, or nothing where `name` is empty or holds a byte that no token may hold.
        public init?(_ name: String) {
            var hasUpperCase = false
            guard !name.isEmpty else { return nil }
            for byte in name.utf8 {
                guard Self.isTokenByte(byte) else { return nil }
                if byte &- 0x41 < 26 { hasUpperCase = true }
            }
            rawName = name
            canonicalName = hasUpperCase ? name.lowercased() : name
        }

        /// A name known to be a token.
        private init(known name: String) {
            rawName = name
            canonicalName = name.lowercased()
        }

        /// Whether `byte` may stand in a token (RFC 9110 §5.6.2).
        static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
            default: false
            }
        }
    }
}

extension HTTPField.Name: Hashable {
    /// Names are equal when they differ in the case of letters only.
    public static func == (left: Self, right: Self) -> Bool { left.canonicalName == right.canonicalName }

    /// Hashes the lower-case form.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
}

extension HTTPField.Name: CustomStringConvertible {
    /// The name as it was given.
    public var description: String { rawName }
}

extension HTTPField.Name {
    /// `Accept`.
    public static let accept = Self(known: "Accept")
    /// `Accept-Encoding`.
    public static let acceptEncoding = Self(known: "Accept-Encoding")
    /// `Accept-Language`.
    public static let acceptLanguage = Self(known: "Accept-Language")
    /// `Accept-Ranges`.
    public static let acceptRanges = Self(known: "Accept-Ranges")
    /// `Age`.
    public static let age = Self(known: "Age")
    /// `Allow`.
    public static let allow = Self(known: "Allow")
    /// `Authorization`.
    public static let authorization = Self(known: "Authorization")
    /// `Cache-Control`.
    public static let cacheControl = Self(known: "Cache-Control")
    /// `Connection`.
    public static let connection = Self(known: "Connection")
    /// `Content-Disposition`.
    public static let contentDisposition = Self(known: "Content-Disposition")
    /// `Content-Encoding`.
    public static let contentEncoding = Self(known: "Content-Encoding")
    /// `Content-Language`.
    public static let contentLanguage = Self(known: "Content-Language")
    /// `Content-Length`.
    public static let contentLength = Self(known: "Content-Length")
    /// `Content-Location`.
    public static let contentLocation = Self(known: "Content-Location")
    /// `Content-Range`.
    public static let contentRange = Self(known: "Content-Range")
    /// `Content-Type`.
    public static let contentType = Self(known: "Content-Type")
    /// `Cookie`.
    public static let cookie = Self(known: "Cookie")
    /// `Date`.
    public static let date = Self(known: "Date")
    /// `ETag`.
    public static let etag = Self(known: "ETag")
    /// `Expect`.
    public static let expect = Self(known: "Expect")
    /// `Expires`.
    public static let expires = Self(known: "Expires")
    /// `From`.
    public static let from = Self(known: "From")
    /// `Host`.
    public static let host = Self(known: "Host")
    /// `If-Match`.
    public static let ifMatch = Self(known: "If-Match")
    /// `If-Modified-Since`.
    public static let ifModifiedSince = Self(known: "If-Modified-Since")
    /// `If-None-Match`.
    public static let ifNoneMatch = Self(known: "If-None-Match")
    /// `If-Range`.
    public static let ifRange = Self(known: "If-Range")
    /// `If-Unmodified-Since`.
    public static let ifUnmodifiedSince = Self(known: "If-Unmodified-Since")
    /// `Last-Event-ID` (WHATWG HTML §9.2.4).
    public static let lastEventID = Self(known: "Last-Event-ID")
    /// `Last-Modified`.
    public static let lastModified = Self(known: "Last-Modified")
    /// `Link`.
    public static let link = Self(known: "Link")
    /// `Location`.
    public static let location = Self(known: "Location")
    /// `Origin`.
    public static let origin = Self(known: "Origin")
    /// `Pragma`.
    public static let pragma = Self(known: "Pragma")
    /// `Proxy-Authenticate`.
    public static let proxyAuthenticate = Self(known: "Proxy-Authenticate")
    /// `Proxy-Authorization`.
    public static let proxyAuthorization = Self(known: "Proxy-Authorization")
    /// `Range`.
    public static let range = Self(known: "Range")
    /// `Referer`.
    public static let referer = Self(known: "Referer")
    /// `Retry-After`.
    public static let retryAfter = Self(known: "Retry-After")
    /// `Server`.
    public static let server = Self(known: "Server")
    /// `Strict-Transport-Security` (RFC 6797 §6.1).
    public static let strictTransportSecurity = Self(known: "Strict-Transport-Security")
    /// `Set-Cookie`.
    public static let setCookie = Self(known: "Set-Cookie")
    /// `TE`.
    public static let te = Self(known: "TE")
    /// `Trailer`.
    public static let trailer = Self(known: "Trailer")
    /// `Transfer-Encoding`.
    public static let transferEncoding = Self(known: "Transfer-Encoding")
    /// `Upgrade`.
    public static let upgrade = Self(known: "Upgrade")
    /// `User-Agent`.
    public static let userAgent = Self(known: "User-Agent")
    /// `Vary`.
    public static let vary = Self(known: "Vary")
    /// `Via`.
    public static let via = Self(known: "Via")
    /// `WWW-Authenticate`.
    public static let wwwAuthenticate = Self(known: "WWW-Authenticate")
}
