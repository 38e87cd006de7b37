public import Foundation

extension HTTPTrust {
    /// What a host has to prove, and what this side shows of itself.
    public struct Policy: Sendable, Hashable {
        /// Who may vouch for a server.
        public enum Authorities: Sendable, Hashable {
            /// Those of the system.
            case system
            /// Those of a PEM file.
            case file(URL)
            /// Those of a folder that `openssl rehash` has prepared.
            case folder(URL)
            /// Those of a PEM text.
            case pem(Data)
        }

        /// What must be found in the chain of certificates beside the authorities' word: in the server's own, or in any
        /// above it.
        public enum Pinning: Sendable, Hashable {
            /// Nothing.
            case none
            /// One of these public keys, each as `sha256//` and the Base64 of the hash of its `SubjectPublicKeyInfo`.
            case publicKeys([String])
            /// One of these certificates, each in DER or PEM.
            case certificates([Data])

            /// One of the public keys of these certificates, each in DER or PEM; what is no certificate is left out.
            public static func publicKeys(of certificates: [Data]) -> Self {
                .publicKeys(certificates.compactMap { Certificate($0)?.publicKeyPin })
            }
        }

        /// The oldest version of TLS to speak.
        public enum TLSVersion: Int, Sendable, Hashable, Comparable {
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13

            /// Older versions come first.
            public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
        }

        /// Who may vouch for the server.
        public var authorities: Authorities

        /// What must be found in the chain of certificates; without any pin in the list, no server is accepted.
        public var pinning: Pinning

        /// Whether certificates without an authority's word are accepted.
        ///
        /// With pins, the pinned keys or certificates then stand in the authorities' place. Without pins nothing is
        /// known of the server, so that `validatesDomainName` has to be off as well.
        public var allowsInvalidCertificates: Bool

        /// Whether the certificate has to name the host.
        public var validatesDomainName: Bool

        /// A PEM file of the authorities' revocation lists; with it, each certificate of a chain needs a current list.
        public var revocationLists: URL?

        /// Whether the server has to bring an authority's fresh word that its certificate was not revoked (OCSP
        /// stapling, RFC 6066 §8).
        public var requiresStapledStatus: Bool

        /// The certificate to show where the server asks for one.
        public var clientIdentity: HTTPClientIdentity?

        /// The oldest version of TLS to speak.
        public var minimumTLSVersion: TLSVersion

        /// Makes a policy; the defaults are those of `system`.
        public init(
            authorities: Authorities = .system,
            pinning: Pinning = .none,
            allowsInvalidCertificates: Bool = false,
            validatesDomainName: Bool = true,
            revocationLists: URL? = nil,
            requiresStapledStatus: Bool = false,
            clientIdentity: HTTPClientIdentity? = nil,
            minimumTLSVersion: TLSVersion = .tls12
        ) {
            self.authorities = authorities
            self.pinning = pinning
            self.allowsInvalidCertificates = allowsInvalidCertificates
            self.validatesDomainName = validatesDomainName
            self.revocationLists = revocationLists
            self.requiresStapledStatus = requiresStapledStatus
            self.clientIdentity = clientIdentity
            self.minimumTLSVersion = minimumTLSVersion
        }

        /// The system's authorities, the host's name, nothing pinned.
        public static let system = Self()
    }
}
