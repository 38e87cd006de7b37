/// How the content of a request is compressed (RFC 9110 §8.4.1).
public enum HTTPContentCoding: String, Sendable, Hashable {
    /// The format of gzip.
    case gzip
    /// The format of zlib.
    case deflate
}

extension HTTPRequest {
    /// Compresses the body while it is sent, and says so by `Content-Encoding`.
    ///
    /// The length is not known beforehand then, so that the body goes in chunks over HTTP/1.1. Only for servers that are
    /// known to understand it: a request cannot ask. Does nothing where there is no body.
    public mutating func compressBody(with coding: HTTPContentCoding = .gzip) {
        guard let body else { return }
        let former = headerFields[.contentEncoding].map { "\($0), " } ?? ""
        headerFields[.contentEncoding] = former + coding.rawValue
        self.body = .source(CompressedBody(body, coding: coding))
    }
}
