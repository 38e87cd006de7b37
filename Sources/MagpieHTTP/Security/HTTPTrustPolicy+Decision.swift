import Foundation

extension HTTPTrust.Policy {
    /// Why the policy refuses the server, or `nil` where it accepts it.
    ///
    /// A pure function of the policy, what the server showed, and the time where pinned certificates replace the
    /// authorities.
    public func problem(with trust: ServerTrust) -> HTTPError.CertificateProblem? {
        guard allowsInvalidCertificates else {
            if let problem = trust.problem ?? nameProblem(with: trust) { return problem }
            return isPinned(trust) ? nil : .pinMismatch
        }
        switch pinning {
        case .none: return unpinnedProblem(with: trust)
        case .publicKeys(let keys): return problem(with: trust, vouchedForBy: keys)
        case .certificates(let pins): return problem(with: trust, vouchedForBy: pins)
        }
    }

    /// Whether the chain, which the authorities vouch for, has one of the pins.
    private func isPinned(_ trust: ServerTrust) -> Bool {
        switch pinning {
        case .none: true
        case .publicKeys(let keys): trust.publicKeyPins.contains(where: keys.contains)
        case .certificates(let pins): !Set(pins.compactMap { Certificate($0)?.der }).isDisjoint(with: trust.chain)
        }
    }

    private func nameProblem(with trust: ServerTrust) -> HTTPError.CertificateProblem? {
        validatesDomainName && !trust.namesHost ? .wrongHost : nil
    }

    private func unpinnedProblem(with trust: ServerTrust) -> HTTPError.CertificateProblem? {
        guard validatesDomainName, trust.host != nil else { return nil }
        return .other("a name that nobody vouches for proves nothing; pin a key or set validatesDomainName to false")
    }

    /// The pinned keys in the authorities' place.
    ///
    /// Who has the very key that is pinned is the server, whatever its certificate says. A pinned key higher up has to
    /// have signed its way down to the server's: anybody can send along a certificate that is not its own.
    private func problem(
        with trust: ServerTrust,
        vouchedForBy keys: [String]
    ) -> HTTPError.CertificateProblem? {
        let pins = trust.publicKeyPins
        if let own = pins.first, keys.contains(own) { return nil }
        let anchors = zip(trust.chain, pins).filter { keys.contains($1) }.map(\.0)
        let verdict = CertificateVerifier.verdict(on: trust.chain, anchors: anchors, atAnyTime: true)
        return verdict.problem == nil ? nameProblem(with: trust) : .pinMismatch
    }

    /// The pinned certificates in the authorities' place.
    private func problem(
        with trust: ServerTrust,
        vouchedForBy pins: [Data]
    ) -> HTTPError.CertificateProblem? {
        switch CertificateVerifier.verdict(on: trust.chain, anchors: pins).problem {
        case .none: nameProblem(with: trust)
        case .selfSigned, .unknownAuthority: .pinMismatch
        case .some(let problem): problem
        }
    }
}
