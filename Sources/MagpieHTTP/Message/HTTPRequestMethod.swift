extension HTTPRequest {
    /// The method of a request: a case-sensitive token (RFC 9110 §9.1).
    public struct Method: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The token as it is sent.
        public let rawValue: String

        /// Makes a method, or nothing where `rawValue` is no token.
        public init?(rawValue: String) {
            guard !rawValue.isEmpty, rawValue.utf8.allSatisfy(HTTPField.Name.isTokenByte) else { return nil }
            self.rawValue = rawValue
        }

        private init(known token: String) { rawValue = token }

        /// The token.
        public var description: String { rawValue }

        /// Transfer the current representation (RFC 9110 §9.3.1).
        public static let get = Self(known: "GET")
        /// As GET, without the content (RFC 9110 §9.3.2).
        public static let head = Self(known: "HEAD")
        /// Process the enclosed content (RFC 9110 §9.3.3).
        public static let post = Self(known: "POST")
        /// Replace the representation (RFC 9110 §9.3.4).
        public static let put = Self(known: "PUT")
        /// Remove the resource (RFC 9110 §9.3.5).
        public static let delete = Self(known: "DELETE")
        /// Describe the communication options (RFC 9110 §9.3.7).
        public static let options = Self(known: "OPTIONS")
        /// Loop the message back (RFC 9110 §9.3.8).
        public static let trace = Self(known: "TRACE")
        /// Change the representation in part (RFC 5789).
        public static let patch = Self(known: "PATCH")
    }
}
