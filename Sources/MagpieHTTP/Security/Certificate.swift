import CCrypto
import Foundation

/// An X.509 certificate (RFC 5280), read by OpenSSL.
///
/// `@unchecked Sendable`: the certificate behind the pointer is owned by the object and never changed.
final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Reads a certificate in DER or PEM, or nothing where it is neither.
    convenience init?(_ data: Data) {
        guard let pointer = Self.readDER(data) ?? Self.readPEM(data) else { return nil }
        self.init(owning: pointer)
    }

    /// Shares a certificate that belongs to somebody else.
    convenience init(sharing pointer: OpaquePointer) {
        X509_up_ref(pointer)
        self.init(owning: pointer)
    }

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// The certificate in DER.
    var der: Data { Self.encode { i2d_X509(pointer, $0) } }

    /// The hash of the public key (RFC 7469 §2.4): `sha256//` and Base64.
    var publicKeyPin: String {
        let key = Self.encode { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(pointer), $0) }
        return "sha256//\(HashFunction.sha256.hash(key).base64EncodedString())"
    }

    /// Whether the certificate was made for `host`, a name or an address (RFC 9110 §4.3.4).
    ///
    /// The subject's common name does not count.
    func names(_ host: String) -> Bool {
        if HostName.isAddress(host) { return X509_check_ip_asc(pointer, host, 0) == 1 }
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return X509_check_host(pointer, host, host.utf8.count, flags, nil) == 1
    }

    /// The first day of its time, such as `2026-03-01`.
    var firstDay: String? { Self.day(X509_get0_notBefore(pointer)) }

    /// The last day of its time.
    var lastDay: String? { Self.day(X509_get0_notAfter(pointer)) }

    /// The common name of its subject.
    var commonName: String? {
        guard let subject = X509_get_subject_name(pointer) else { return nil }
        let place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard place >= 0, let entry = X509_NAME_get_entry(subject, place),
            let text = X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = ASN1_STRING_to_UTF8(&bytes, text)
        guard length >= 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, nil, 0) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
    }

    private static func readDER(_ data: Data) -> OpaquePointer? {
        data.withUnsafeBytes { bytes in
            var next = bytes.bindMemory(to: UInt8.self).baseAddress
            let end = next.map { $0 + bytes.count }
            guard let certificate = d2i_X509(nil, &next, bytes.count) else { return nil }
            guard next == end else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
    }

    private static func readPEM(_ data: Data) -> OpaquePointer? {
        data.withUnsafeBytes { bytes in
            guard let source = BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else { return nil }
            defer { BIO_free(source) }
            return PEM_read_bio_X509(source, nil, nil, nil)
        }
    }

    /// What one of OpenSSL's encoders writes: called without a place to write to, they allocate one.
    private static func encode(_ encoder: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> CInt) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = encoder(&bytes)
        guard length > 0, let bytes else { return Data() }
        defer { CRYPTO_free(bytes, nil, 0) }
        return Data(bytes: bytes, count: Int(length))
    }

    private static func day(_ time: UnsafePointer<ASN1_TIME>?) -> String? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        let (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        return String(format: "%04d-%02d-%02d", year, month, day)
    }
}
