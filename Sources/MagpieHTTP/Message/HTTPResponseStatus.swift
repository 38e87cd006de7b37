extension HTTPResponse {
    /// A status code with its phrase (RFC 9110 §15).
    public struct Status: Sendable, CustomStringConvertible {
        /// The class of a status code, given by its first digit.
        public enum Kind: Sendable, Hashable {
            /// Not between 100 and 599.
            case invalid
            /// 1xx: an interim answer.
            case informational
            /// 2xx: received, understood and accepted.
            case successful
            /// 3xx: something more is to be done.
            case redirection
            /// 4xx: the request was wrong or cannot be met.
            case clientError
            /// 5xx: the server failed.
            case serverError
        }

        /// The code, usually of three digits.
        public let code: Int

        /// The phrase that the server sent, or the registered one where it sent none (HTTP/2 has none).
        public let reasonPhrase: String

        /// Makes a status; without a phrase it gets the registered one.
        public init(code: Int, reasonPhrase: String = "") {
            self.code = code
            self.reasonPhrase = reasonPhrase.isEmpty ? Self.registeredPhrase(for: code) : reasonPhrase
        }

        /// The class of the code.
        public var kind: Kind {
            switch code {
            case 100...199: .informational
            case 200...299: .successful
            case 300...399: .redirection
            case 400...499: .clientError
            case 500...599: .serverError
            default: .invalid
            }
        }

        /// Code and phrase, as in `404 Not Found`.
        public var description: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }

        /// `200 OK`.
        public static let ok = Self(code: 200)
        /// `206 Partial Content`.
        public static let partialContent = Self(code: 206)
        /// `304 Not Modified`.
        public static let notModified = Self(code: 304)
        /// `404 Not Found`.
        public static let notFound = Self(code: 404)

        /// The phrase registered with IANA, or an empty text.
        private static func registeredPhrase(for code: Int) -> String { phrases[code] ?? "" }

        private static let phrases: [Int: String] = [
            100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created",
            202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
            206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
            303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
            400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
            408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
            413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
            417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early",
            426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
            431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
            500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
            504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
        ]
    }
}

extension HTTPResponse.Status: Hashable {
    /// Statuses are equal when their codes are; the phrase carries no meaning (RFC 9112 §4).
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPResponse.Status: ExpressibleByIntegerLiteral {
    /// Makes a status with the registered phrase.
    public init(integerLiteral code: Int) { self.init(code: code) }
}
