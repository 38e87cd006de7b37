extension HTTPFields {
    /// `Authorization` with a name and a password (RFC 7617, in UTF-8); the name must not hold a colon.
    public static func authorization(basic user: String, password: String) -> Self {
        [.authorization: HTTPCredential(user: user, password: password).authorization]
    }

    /// `Authorization` with a token (RFC 6750).
    public static func authorization(bearer token: String) -> Self {
        [.authorization: HTTPCredential.bearer(token).authorization]
    }
}
