public import Foundation

/// A certificate of one's own and its private key, for servers that ask who their client is.
public enum HTTPClientIdentity: Sendable, Hashable {
    /// A PEM file of the certificate and those that vouch for it, a PEM file of the key, and what unlocks the key.
    case pem(certificate: URL, key: URL, passphrase: String? = nil)
    /// A PKCS #12 file (`.p12`, `.pfx`), and what unlocks it.
    case pkcs12(URL, passphrase: String? = nil)

    /// The file that the certificate is in.
    public var certificateFile: URL {
        switch self {
        case .pem(let certificate, _, _): certificate
        case .pkcs12(let file, _): file
        }
    }

    /// The file that the key is in.
    public var keyFile: URL {
        switch self {
        case .pem(_, let key, _): key
        case .pkcs12(let file, _): file
        }
    }

    /// What unlocks the key.
    public var passphrase: String? {
        switch self {
        case .pem(_, _, let passphrase), .pkcs12(_, let passphrase): passphrase
        }
    }
}
