public import Foundation

/// Which servers to believe that they are who they say.
///
/// One policy for all hosts, and others for the hosts that need them:
///
///     var trust = HTTPTrust.pinned(publicKeys: ["sha256//…"], for: "bank.example")
///     trust["*.lab.example"] = .init(authorities: .file(labAuthority))
public struct HTTPTrust: Sendable, Hashable {
    /// The policy for the hosts that have none of their own.
    public var policy: Policy

    private var hostPolicies: [String: Policy] = [:]

    /// Makes a rule of one policy for all hosts.
    public init(policy: Policy) {
        self.policy = policy
    }

    /// Makes a rule of one policy for all hosts from its most used settings.
    ///
    /// - Parameters:
    ///   - caFile: A PEM file of the only authorities to trust; `nil` trusts the system's.
    ///   - allowsUntrustedCertificates: See the property of this name.
    ///   - pinnedPublicKeys: See the property of this name.
    public init(caFile: URL? = nil, allowsUntrustedCertificates: Bool = false, pinnedPublicKeys: [String] = []) {
        policy = Policy()
        self.caFile = caFile
        self.allowsUntrustedCertificates = allowsUntrustedCertificates
        self.pinnedPublicKeys = pinnedPublicKeys
    }

    /// The system's authorities, no exceptions.
    public static let system = Self(policy: .system)

    /// The system's authorities, and for one host also one of the public keys in the chain of its certificates.
    ///
    /// - Parameters:
    ///   - publicKeys: The keys, each as `sha256//` and the Base64 of the hash of its `SubjectPublicKeyInfo`.
    ///   - host: The host, or `*.` and a domain for all hosts below it.
    public static func pinned(publicKeys: [String], for host: String) -> Self {
        var trust = Self.system
        trust[host] = Policy(pinning: .publicKeys(publicKeys))
        return trust
    }

    /// The system's authorities, and for one host also one of the certificates in the chain of its own.
    ///
    /// - Parameters:
    ///   - certificates: The certificates, each in DER or PEM.
    ///   - host: The host, or `*.` and a domain for all hosts below it.
    public static func pinned(certificates: [Data], for host: String) -> Self {
        var trust = Self.system
        trust[host] = Policy(pinning: .certificates(certificates))
        return trust
    }

    /// The policy that was given for `pattern`: a host, or `*.` and a domain for all hosts below it.
    ///
    /// Setting `nil` takes it away again.
    public subscript(pattern: String) -> Policy? {
        get { hostPolicies[HostName.normalized(pattern)] }
        set { hostPolicies[HostName.normalized(pattern)] = newValue }
    }

    /// The policy that counts for `host`: its own, else that of the nearest domain above it, else the general one.
    public func policy(for host: String) -> Policy {
        guard !hostPolicies.isEmpty else { return policy }
        let host = HostName.normalized(host)
        if let own = hostPolicies[host] { return own }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let above = hostPolicies["*.\(rest)"] { return above }
        }
        return policy
    }

    /// The policy that counts for the host of `url`.
    func policy(for url: URL) -> Policy {
        hostPolicies.isEmpty ? policy : policy(for: HostName.of(url))
    }

    /// Why the request may not be sent at all: keys are pinned for its host, and without TLS none would be asked for.
    func problem(with url: URL) -> HTTPError? {
        guard !hostPolicies.isEmpty || policy.pinning != .none, policy(for: url).pinning != .none,
            url.scheme?.lowercased() != "https"
        else { return nil }
        return .pinnedHostWithoutTLS(HostName.of(url))
    }
}

// MARK: - The general policy's most used settings

extension HTTPTrust {
    /// A PEM file of the only authorities to trust; `nil` trusts the system's.
    public var caFile: URL? {
        get { if case .file(let file) = policy.authorities { file } else { nil } }
        set { policy.authorities = newValue.map { .file($0) } ?? .system }
    }

    /// Whether to accept certificates that lead to no trusted authority, have expired or name another host.
    ///
    /// Pinned keys are asked for even so. For tests and emergencies only.
    public var allowsUntrustedCertificates: Bool {
        get { policy.allowsInvalidCertificates && !policy.validatesDomainName }
        set {
            policy.allowsInvalidCertificates = newValue
            policy.validatesDomainName = !newValue
        }
    }

    /// The public keys of which the server's chain must have one, each as `sha256//` and the Base64 of the hash; empty
    /// asks for none.
    public var pinnedPublicKeys: [String] {
        get { if case .publicKeys(let keys) = policy.pinning { keys } else { [] } }
        set { policy.pinning = newValue.isEmpty ? .none : .publicKeys(newValue) }
    }
}
