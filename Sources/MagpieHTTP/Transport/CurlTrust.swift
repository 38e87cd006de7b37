import CCrypto
import CCurl
import Foundation

/// Translates a policy of trust into options of an easy handle.
///
/// libcurl loads what the policy names and OpenSSL builds the chains; a `CertificateCheck` decides.
enum CurlTrust {
    /// Sets what is the same for all policies.
    static func setConstants(of easy: UnsafeMutableRawPointer) {
        magpie_easy_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        // Marks the TLS of a proxy, for which the same callback is called; see `installCheck`.
        let range = Int(CURL_SSLVERSION_TLSv1_2) | Int(CURL_SSLVERSION_MAX_TLSv1_3)
        magpie_easy_set_long(easy, CURLOPT_PROXY_SSLVERSION, range)
        magpie_easy_set_tls_callback(easy) { _, context, handle in
            guard let context, let handle else { return CURLE_ABORTED_BY_CALLBACK }
            let owner = Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
            return CurlTrust.installCheck(for: owner, in: OpaquePointer(context))
        }
    }

    /// Sets what belongs to the policy.
    static func set(_ policy: HTTPTrust.Policy, of easy: UnsafeMutableRawPointer) {
        let isNameChecked = policy.validatesDomainName && !policy.allowsInvalidCertificates
        magpie_easy_set_long(easy, CURLOPT_SSL_VERIFYHOST, isNameChecked ? 2 : 0)
        let version =
            switch policy.minimumTLSVersion {
            case .tls12: CURL_SSLVERSION_TLSv1_2
            case .tls13: CURL_SSLVERSION_TLSv1_3
            }
        magpie_easy_set_long(easy, CURLOPT_SSLVERSION, Int(version))
        magpie_easy_set_long(easy, CURLOPT_SSL_VERIFYSTATUS, policy.requiresStapledStatus ? 1 : 0)
        magpie_easy_set_string(easy, CURLOPT_CRLFILE, policy.revocationLists?.path)
        setAuthorities(of: easy, for: policy)
        setIdentity(policy.clientIdentity, of: easy)
    }

    /// Sets who may vouch for a proxy.
    static func setProxyAuthorities(_ authorities: HTTPTrust.Policy.Authorities, of easy: UnsafeMutableRawPointer) {
        let sources = sources(of: authorities)
        magpie_easy_set_string(easy, CURLOPT_PROXY_CAINFO, sources.file)
        magpie_easy_set_string(easy, CURLOPT_PROXY_CAPATH, sources.folder)
        setText(sources.text, CURLOPT_PROXY_CAINFO_BLOB, of: easy)
    }

    private static func setAuthorities(of easy: UnsafeMutableRawPointer, for policy: HTTPTrust.Policy) {
        let sources = policy.allowsInvalidCertificates ? Sources() : sources(of: policy.authorities)
        let folder = [sources.folder, mark(of: policy)].compactMap(\.self).joined(separator: ":")
        magpie_easy_set_string(easy, CURLOPT_CAINFO, sources.file)
        magpie_easy_set_string(easy, CURLOPT_CAPATH, folder.isEmpty ? nil : folder)
        setText(sources.text, CURLOPT_CAINFO_BLOB, of: easy)
    }

    /// Where libcurl finds the certificates of authorities.
    private struct Sources {
        var file: String?
        var folder: String?
        var text: Data?
    }

    private static func sources(of authorities: HTTPTrust.Policy.Authorities) -> Sources {
        switch authorities {
        // libcurl keeps what it read from a file for all connections, but only where no folder is named as well.
        case .system: Sources(file: systemFile, folder: systemFile == nil ? systemFolder : nil)
        case .file(let url): Sources(file: url.path)
        case .folder(let url): Sources(folder: url.path)
        case .pem(let data): Sources(text: data)
        }
    }

    private static func setText(_ text: Data?, _ option: CURLoption, of easy: UnsafeMutableRawPointer) {
        guard var text else { return _ = magpie_easy_set_pointer(easy, option, nil) }
        text.withUnsafeMutableBytes { bytes in
            var blob = curl_blob(data: bytes.baseAddress, len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
            magpie_easy_set_pointer(easy, option, &blob)
        }
    }

    private static func setIdentity(_ identity: HTTPClientIdentity?, of easy: UnsafeMutableRawPointer) {
        let type = if case .pkcs12 = identity { "P12" } else { "PEM" }
        magpie_easy_set_string(easy, CURLOPT_SSLCERTTYPE, type)
        magpie_easy_set_string(easy, CURLOPT_SSLCERT, identity?.certificateFile.path)
        magpie_easy_set_string(easy, CURLOPT_SSLKEYTYPE, type)
        magpie_easy_set_string(easy, CURLOPT_SSLKEY, identity?.keyFile.path)
        // Without any, OpenSSL would ask for it at the terminal.
        magpie_easy_set_string(easy, CURLOPT_KEYPASSWD, identity.map { $0.passphrase ?? "" })
    }

    /// A folder that cannot be, which differs from policy to policy.
    ///
    /// libcurl reuses a connection, and resumes a session of TLS, only where all that it knows of the trust is equal. It
    /// knows nothing of pins; but it knows the folders of authorities.
    private static func mark(of policy: HTTPTrust.Policy) -> String? {
        guard policy.pinning != .none || policy.allowsInvalidCertificates else { return nil }
        var text = "\(policy.allowsInvalidCertificates) \(policy.validatesDomainName)"
        switch policy.pinning {
        case .none: break
        case .publicKeys(let keys): text += keys.map { "\n\($0)" }.joined()
        case .certificates(let pins): text += pins.map { "\n\n\(SHA256.hash($0).base64EncodedString())" }.joined()
        }
        return "/dev/null/\(SHA256.hash(Data(text.utf8)).map { String($0, radix: 16) }.joined(separator: "-"))"
    }

    /// Gives a new connection its check; `context` is the `SSL_CTX` that libcurl has prepared.
    private static func installCheck(for handle: CurlHandle, in context: OpaquePointer) -> CURLcode {
        // A proxy's certificate is no business of the host's policy; libcurl verifies it.
        let newest = SSL_CTX_ctrl(context, SSL_CTRL_GET_MAX_PROTO_VERSION, 0, nil)
        if newest == TLS1_3_VERSION { return CURLE_OK }
        guard let check = handle.makeCertificateCheck() else { return CURLE_ABORTED_BY_CALLBACK }
        return check.install(in: context) ? CURLE_OK : CURLE_OUT_OF_MEMORY
    }

    /// The file of authorities that libcurl was built to use.
    private static let systemFile = builtIn(CURLINFO_CAINFO)

    /// The folder of authorities that libcurl was built to use.
    private static let systemFolder = builtIn(CURLINFO_CAPATH)

    private static func builtIn(_ info: CURLINFO) -> String? {
        guard let easy = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(easy) }
        var text: UnsafePointer<CChar>?
        guard magpie_easy_get_string(easy, info, &text) == CURLE_OK else { return nil }
        return text.map { String(cString: $0) }
    }
}
