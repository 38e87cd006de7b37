import CCrypto
import Foundation

/// Judges the certificates of one TLS connection by the policy under which it is opened.
///
/// Confined to the loop's thread. OpenSSL keeps it as long as the connection.
final class CertificateCheck {
    /// Why the certificates were refused, if they were.
    private(set) var problem: HTTPError.CertificateProblem?

    private let policy: HTTPTrust.Policy
    private let host: String

    init(policy: HTTPTrust.Policy, host: String) {
        self.policy = policy
        self.host = host
    }

    /// Takes the place of OpenSSL's own verification in `context`, a `SSL_CTX`.
    ///
    /// - Returns: Whether it could.
    func install(in context: OpaquePointer) -> Bool {
        let pointer = Unmanaged.passRetained(self).toOpaque()
        guard SSL_CTX_set_ex_data(context, Self.place, pointer) == 1 else {
            Unmanaged<CertificateCheck>.fromOpaque(pointer).release()
            return false
        }
        let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { store, check in
            guard let store, let check else { return 0 }
            return Unmanaged<CertificateCheck>.fromOpaque(check).takeUnretainedValue().accepts(store) ? 1 : 0
        }
        SSL_CTX_set_cert_verify_callback(context, verify, pointer)
        return true
    }

    /// Judges what the server showed; `store` is a `X509_STORE_CTX`, in which libcurl looks for the outcome.
    private func accepts(_ store: OpaquePointer) -> Bool {
        let verdict = CertificateVerifier.verdict(in: store)
        problem = policy.problem(with: ServerTrust(chain: verdict.chain, host: host, problem: verdict.problem))
        if problem == nil {
            X509_STORE_CTX_set_error(store, X509_V_OK)
        } else if verdict.problem == nil {
            X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        }
        return problem == nil
    }

    /// Where an `SSL_CTX` keeps its check, which is released with it.
    private static let place = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil) {
        _,
        check,
        _,
        _,
        _,
        _ in
        if let check { Unmanaged<CertificateCheck>.fromOpaque(check).release() }
    }
}
