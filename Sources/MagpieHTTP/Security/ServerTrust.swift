public import Foundation

/// What a server showed of itself, and what its authorities say about it.
public struct ServerTrust: Sendable, Hashable {
    /// The certificates in DER, the server's own first.
    ///
    /// Where the authorities vouch for the server this is the chain from it to the authority, else what the server sent.
    public let chain: [Data]

    /// The host that was asked for; `nil` where it does not matter.
    public let host: String?

    /// Why no authority vouches for the server; the host's name is not looked at.
    public let problem: HTTPError.CertificateProblem?

    /// Makes a description of a chain that somebody has judged already.
    public init(chain: [Data], host: String?, problem: HTTPError.CertificateProblem?) {
        self.chain = chain
        self.host = host.map(HostName.normalized)
        self.problem = problem
    }

    /// Judges a chain: whether it leads to one of the `authorities`, at this time, for a server's purpose.
    ///
    /// - Parameters:
    ///   - chain: What the server sent: its certificate first, then others in any order, in DER or PEM.
    ///   - host: The host that was asked for.
    ///   - authorities: The certificates of who may vouch for the server, in DER or PEM.
    public init(chain: [Data], host: String?, authorities: [Data]) {
        let verdict = CertificateVerifier.verdict(on: chain, anchors: authorities)
        self.init(chain: verdict.chain, host: host, problem: verdict.problem)
    }

    /// Whether the server's certificate names the host; true where none was given.
    public var namesHost: Bool {
        guard let host else { return true }
        return chain.first.flatMap { Certificate($0) }?.names(host) ?? false
    }

    /// The public keys of the chain, as they are pinned: `sha256//` and the Base64 of the hash.
    public var publicKeyPins: [String] { chain.map { Certificate($0)?.publicKeyPin ?? "" } }
}
