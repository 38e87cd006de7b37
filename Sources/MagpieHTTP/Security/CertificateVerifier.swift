import CCrypto
import Foundation

/// Finds out with OpenSSL whether a chain of certificates holds (RFC 5280 §6).
enum CertificateVerifier {
    /// The outcome: the chain, and why it does not hold where it does not.
    struct Verdict {
        let chain: [Data]
        let problem: HTTPError.CertificateProblem?
    }

    /// Whether the first of the certificates leads to one of the anchors, which need not vouch for themselves.
    ///
    /// - Parameters:
    ///   - certificates: The server's certificate, then others in any order.
    ///   - anchors: Whom to believe.
    ///   - atAnyTime: Whether the certificates' time does not matter.
    static func verdict(on certificates: [Data], anchors: [Data], atAnyTime: Bool = false) -> Verdict {
        let chain = certificates.compactMap { Certificate($0) }
        let refused = { Verdict(chain: chain.map(\.der), problem: $0) }
        guard let own = chain.first else { return refused(.other("no certificate")) }
        guard let store = X509_STORE_new() else { return refused(.other("no memory")) }
        defer { X509_STORE_free(store) }
        for anchor in anchors.compactMap({ Certificate($0) }) { X509_STORE_add_cert(store, anchor.pointer) }
        let timeFlag = atAnyTime ? X509_V_FLAG_NO_CHECK_TIME : 0
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST | timeFlag))
        guard let others = OPENSSL_sk_new_null() else { return refused(.other("no memory")) }
        defer { OPENSSL_sk_free(others) }
        for certificate in chain.dropFirst() { OPENSSL_sk_push(others, UnsafeRawPointer(certificate.pointer)) }
        guard let context = X509_STORE_CTX_new() else { return refused(.other("no memory")) }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store, own.pointer, others) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1
        else { return refused(.other("OpenSSL cannot verify it")) }
        return verdict(in: context)
    }

    /// Verifies what OpenSSL has prepared in `context`, a `X509_STORE_CTX`.
    static func verdict(in context: OpaquePointer) -> Verdict {
        if X509_verify_cert(context) == 1 {
            return Verdict(chain: certificates(X509_STORE_CTX_get0_chain(context)), problem: nil)
        }
        var sent = certificates(X509_STORE_CTX_get0_untrusted(context))
        // A server may leave its own certificate out of the list, or repeat it.
        if let own = X509_STORE_CTX_get0_cert(context) {
            let der = Certificate(sharing: own).der
            sent.removeAll { $0 == der }
            sent.insert(der, at: 0)
        }
        return Verdict(chain: sent, problem: problem(in: context))
    }

    private static func certificates(_ stack: OpaquePointer?) -> [Data] {
        (0..<max(0, OPENSSL_sk_num(stack))).compactMap { place in
            OPENSSL_sk_value(stack, place).map { Certificate(sharing: OpaquePointer($0)).der }
        }
    }

    /// What was found wrong, and with which certificate.
    private static func problem(in context: OpaquePointer) -> HTTPError.CertificateProblem {
        let culprit = X509_STORE_CTX_get_current_cert(context).map { Certificate(sharing: $0) }
        let problem = problem(X509_STORE_CTX_get_error(context), of: culprit)
        guard X509_STORE_CTX_get_error_depth(context) > 0, let name = culprit?.commonName else { return problem }
        switch problem {
        case .selfSigned, .unknownAuthority: return problem
        default: return .issuer(name, problem)
        }
    }

    private static func problem(_ code: CInt, of certificate: Certificate?) -> HTTPError.CertificateProblem {
        switch code {
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid(from: certificate?.firstDay)
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired(on: certificate?.lastDay)
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_UNTRUSTED:
            .unknownAuthority
        case X509_V_ERR_CERT_REVOKED: .revoked
        case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_KEYUSAGE_NO_CERTSIGN,
            X509_V_ERR_CERT_REJECTED:
            .wrongPurpose
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongHost
        default: .other(String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
