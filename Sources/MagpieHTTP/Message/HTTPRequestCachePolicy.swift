extension HTTPRequest {
    /// How a request uses the session's cache, if that has one; the names are those of `URLRequest`.
    public enum CachePolicy: Sendable, Hashable {
        /// As HTTP says: what is fresh is taken from the cache, what is stale is validated first (RFC 9111).
        case useProtocolCachePolicy
        /// Asks the server, whatever is stored; the answer is stored.
        case reloadIgnoringLocalCacheData
        /// Takes what is stored, however old; asks the server where nothing is.
        case returnCacheDataElseLoad
        /// Takes what is stored, however old, and never asks the server: ends with `HTTPError.notInCache` where nothing
        /// is.
        case returnCacheDataDontLoad
        /// Asks the server whether what is stored still holds, also where it is fresh.
        ///
        /// What is fresh and `immutable` is not asked about (RFC 8246).
        case reloadRevalidatingCacheData
    }
}
