/// Whose cookies a jar accepts.
public enum HTTPCookieAcceptPolicy: Sendable, Hashable {
    /// Everybody's.
    case always
    /// Nobody's; the cookies that the jar has are sent all the same.
    case never
    /// Those of the site of the request's `mainDocumentURL`.
    case onlyFromMainDocumentDomain
}
