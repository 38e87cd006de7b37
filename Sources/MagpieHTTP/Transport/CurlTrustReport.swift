import CCurl
import Foundation

/// Says which part of a TLS handshake failed.
enum CurlTrustReport {
    /// The error for a code that has to do with TLS, `nil` for another.
    ///
    /// - Parameters:
    ///   - code: What libcurl gave up with.
    ///   - problem: Why the server's certificates were refused, if they were.
    ///   - policy: The policy that counted.
    ///   - host: The host that was asked for.
    ///   - reason: What libcurl and OpenSSL wrote.
    static func error(
        for code: CURLcode,
        problem: HTTPError.CertificateProblem?,
        policy: HTTPTrust.Policy,
        host: String,
        reason: String
    ) -> HTTPError? {
        if let problem { return .untrustedCertificate(host: host, problem: problem) }
        switch code {
        // The name in a certificate that the check has accepted is compared by libcurl as well.
        case CURLE_PEER_FAILED_VERIFICATION:
            return .untrustedCertificate(host: host, problem: reason.contains("name") ? .wrongHost : .other(reason))
        case CURLE_SSL_INVALIDCERTSTATUS:
            let problem: HTTPError.CertificateProblem = reason.contains("revocation reason") ? .revoked : .unconfirmedStatus
            return .untrustedCertificate(host: host, problem: problem)
        case CURLE_SSL_CACERT_BADFILE: return .unreadableCertificateFile(name(of: policy.authorities))
        case CURLE_SSL_CRL_BADFILE: return .unreadableCertificateFile(policy.revocationLists?.path ?? reason)
        case CURLE_SSL_CERTPROBLEM:
            return .unreadableCertificateFile(policy.clientIdentity?.certificateFile.path ?? reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            if isAboutClient(reason) {
                return .clientCertificateRefused(host: host, wasGiven: policy.clientIdentity != nil)
            }
            guard code != CURLE_RECV_ERROR, code != CURLE_SEND_ERROR else { return nil }
            return .secureConnectionFailed(host: host, reason: words(for: reason, policy: policy))
        default: return nil
        }
    }

    /// Whether the server refused this side's certificate, or the lack of one (RFC 8446 §6.2).
    private static func isAboutClient(_ reason: String) -> Bool {
        [
            "certificate required", "bad certificate", "unsupported certificate", "certificate revoked",
            "certificate expired", "certificate unknown", "unknown ca",
        ]
        .contains { reason.contains("alert \($0)") }
    }

    private static func words(for reason: String, policy: HTTPTrust.Policy) -> String {
        guard reason.contains("protocol version") || reason.contains("unsupported protocol") else { return reason }
        switch policy.minimumTLSVersion {
        case .tls12: return "the server speaks no TLS 1.2 or newer"
        case .tls13: return "the server speaks no TLS 1.3"
        }
    }

    private static func name(of authorities: HTTPTrust.Policy.Authorities) -> String {
        switch authorities {
        case .system: "the system's file"
        case .file(let url), .folder(let url): url.path
        case .pem: "the given text"
        }
    }
}
