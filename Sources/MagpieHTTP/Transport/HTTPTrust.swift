public import Foundation

/// Which servers to believe that they are who they say.
public struct HTTPTrust: Sendable, Hashable {
    /// A PEM file of the only authorities to trust; `nil` trusts the system's.
    public var caFile: URL?

    /// Whether to accept certificates that lead to no trusted authority, have expired or name another host.
    ///
    /// Pinned keys are asked for even so. For tests and emergencies only.
    public var allowsUntrustedCertificates: Bool

    /// The public keys of which the server must have one, each as `sha256//` and the Base64 of the hash; empty accepts
    /// any.
    public var pinnedPublicKeys: [String]

    /// Makes a rule.
    public init(caFile: URL? = nil, allowsUntrustedCertificates: Bool = false, pinnedPublicKeys: [String] = []) {
        self.caFile = caFile
        self.allowsUntrustedCertificates = allowsUntrustedCertificates
        self.pinnedPublicKeys = pinnedPublicKeys
    }

    /// The system's authorities, no exceptions.
    public static let system = Self()
}
