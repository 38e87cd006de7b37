import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a policy decides about chains of certificates, without a connection.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TrustDecisionTests {
    private typealias Policy = HTTPTrust.Policy

    private let server: NginxServer
    private let leaf: Data
    private let intermediate: Data
    private let root: Data
    private let selfSigned: Data
    private let stranger: Data

    init() async throws {
        server = try await NginxServer.shared()
        let file = { [server] in try Data(contentsOf: server.certificateFile($0)) }
        leaf = try file("leaf.pem")
        intermediate = try file("intermediate.pem")
        root = try file("ca.pem")
        selfSigned = try file("selfSigned.pem")
        stranger = try file("unknownRoot.pem")
    }

    /// The good chain, shown in the name of `host`.
    private func good(_ host: String? = "localhost") -> ServerTrust {
        ServerTrust(chain: [leaf, intermediate], host: host, authorities: [root])
    }

    /// A certificate that vouches for itself.
    private func own(_ certificate: Data, _ host: String? = "localhost") -> ServerTrust {
        ServerTrust(chain: [certificate], host: host, authorities: [root])
    }

    private func keys(_ certificates: Data...) -> Policy.Pinning { .publicKeys(of: certificates) }

    @Test func behaviour36TheDefaultPolicy() {
        let policy = Policy()
        #expect(policy.pinning == .none && !policy.allowsInvalidCertificates && policy.validatesDomainName)
        #expect(policy.problem(with: good()) == nil)
        #expect(policy.problem(with: good(nil)) == nil)
        #expect(policy.problem(with: good("elsewhere.example")) == .wrongHost)
        #expect(policy.problem(with: own(selfSigned)) == .selfSigned)
    }

    @Test func behaviour37PinsInTheChain() {
        let accepted = [[leaf], [intermediate], [root], [leaf, intermediate, root], [stranger, intermediate]]
        for pins in accepted {
            for pinning in [Policy.Pinning.publicKeys(of: pins), .certificates(pins)] {
                #expect(Policy(pinning: pinning).problem(with: good()) == nil)
                #expect(Policy(pinning: pinning).problem(with: good("elsewhere.example")) == .wrongHost)
                #expect(Policy(pinning: pinning).problem(with: own(selfSigned)) == .selfSigned)
            }
        }
        let otherSite = ServerTrust(chain: [selfSigned], host: "localhost", authorities: [selfSigned])
        #expect(Policy(pinning: .certificates([intermediate, root])).problem(with: otherSite) == .pinMismatch)
        #expect(Policy(pinning: keys(intermediate, root)).problem(with: otherSite) == .pinMismatch)
        for pinning in [Policy.Pinning.publicKeys([]), .certificates([]), .certificates([Data("no".utf8)])] {
            #expect(Policy(pinning: pinning).problem(with: good()) == .pinMismatch)
        }
    }

    @Test func behaviour38NamesAndSelfSignedPins() throws {
        let anyName = Policy(validatesDomainName: false)
        #expect(anyName.problem(with: good("elsewhere.example")) == nil)
        // With a DNS name, and with a common name only.
        let nameless = try Data(contentsOf: server.certificateFile("nameless.pem"))
        for certificate in [selfSigned, nameless] {
            let pinned = Policy(pinning: keys(certificate), allowsInvalidCertificates: true)
            #expect(pinned.problem(with: own(certificate)) == nil)
        }
        var pinned = Policy(pinning: .certificates([nameless]), allowsInvalidCertificates: true)
        #expect(pinned.problem(with: own(nameless)) == .wrongHost)
        #expect(pinned.problem(with: own(nameless, nil)) == nil)
        pinned.pinning = .certificates([selfSigned])
        #expect(pinned.problem(with: own(selfSigned)) == nil)
        #expect(pinned.problem(with: own(selfSigned, "elsewhere.example")) == .wrongHost)
        pinned.validatesDomainName = false
        #expect(pinned.problem(with: own(selfSigned, "elsewhere.example")) == nil)
    }

    @Test func behaviour39NothingVouchesForTheServer() {
        var policy = Policy(allowsInvalidCertificates: true)
        #expect(policy.problem(with: own(selfSigned, nil)) == nil)
        #expect(policy.problem(with: own(selfSigned)) != nil)
        #expect(policy.problem(with: good()) != nil)
        policy.validatesDomainName = false
        #expect(policy.problem(with: own(selfSigned)) == nil)
        for validates in [false, true] {
            let pinless = Policy(
                pinning: .publicKeys([]),
                allowsInvalidCertificates: true,
                validatesDomainName: validates
            )
            #expect(pinless.problem(with: own(selfSigned)) == .pinMismatch)
        }
        let copy = policy
        #expect(copy == policy)
    }

    /// Anybody can send the certificate of an authority along; it must have signed.
    @Test func aPinnedCertificateThatVouchesForNothing() {
        let forged = ServerTrust(chain: [stranger, intermediate, root], host: "localhost", authorities: [root])
        let strangers = ServerTrust(chain: [stranger, intermediate, root], host: "localhost", authorities: [stranger])
        for allowsInvalid in [false, true] {
            for pinning in [keys(intermediate), keys(root), .certificates([intermediate]), .certificates([root])] {
                let policy = Policy(
                    pinning: pinning,
                    allowsInvalidCertificates: allowsInvalid,
                    validatesDomainName: false
                )
                #expect(policy.problem(with: forged) == (allowsInvalid ? .pinMismatch : .unknownAuthority))
                #expect(policy.problem(with: strangers) == .pinMismatch)
            }
        }
    }

    /// A pinned authority signs for many hosts, so the name counts where invalid certificates are allowed as well.
    @Test func aPinnedAuthorityDoesNotReplaceTheName() {
        let unknown = ServerTrust(chain: [leaf, intermediate], host: "elsewhere.example", authorities: [])
        var policy = Policy(pinning: keys(intermediate), allowsInvalidCertificates: true)
        #expect(policy.problem(with: unknown) == .wrongHost)
        policy.validatesDomainName = false
        #expect(policy.problem(with: unknown) == nil)
    }

    @Test func certificatesOutOfDate() throws {
        let expired = try Data(contentsOf: server.certificateFile("expired.pem"))
        let problem = HTTPError.CertificateProblem.expired(on: "2021-03-01")
        #expect(Policy(pinning: keys(expired)).problem(with: own(expired)) == problem)
        #expect(
            Policy(pinning: .certificates([root]), allowsInvalidCertificates: true).problem(with: own(expired))
                == problem
        )
        #expect(Policy(pinning: keys(expired), allowsInvalidCertificates: true).problem(with: own(expired)) == nil)
    }

    @Test func whatIsNoCertificate() {
        for chain in [[], [Data()], [Data("-----BEGIN CERTIFICATE-----".utf8)], [leaf.prefix(100)]] {
            #expect(Policy().problem(with: ServerTrust(chain: chain, host: "localhost", authorities: [root])) != nil)
        }
        #expect(Policy.Pinning.publicKeys(of: [Data([0x30])]) == .publicKeys([]))
    }

    /// The hash is that which the `openssl` program computes.
    @Test func pinsOfKeys() {
        #expect(Policy.Pinning.publicKeys(of: [intermediate]) == .publicKeys([server.publicKeyPin(of: "intermediate")]))
        #expect(good().publicKeyPins == ["server", "intermediate", "ca"].map(server.publicKeyPin))
    }

    @Test func theNearestPolicyCounts() {
        var trust = HTTPTrust.system
        let (exact, near, far) = (keys(leaf), keys(intermediate), keys(root))
        trust["Www.Bank.Example"] = .init(pinning: exact)
        trust["*.bank.example"] = .init(pinning: near)
        trust["*.example"] = .init(pinning: far)
        #expect(trust.policy(for: "www.bank.example").pinning == exact)
        #expect(trust.policy(for: "www.bank.example.").pinning == exact)
        #expect(trust.policy(for: "WWW2.bank.example").pinning == near)
        #expect(trust.policy(for: "a.b.bank.example").pinning == near)
        #expect(trust.policy(for: "bank.example").pinning == far)
        #expect(trust.policy(for: "example").pinning == .none)
        #expect(trust.policy(for: "").pinning == .none)
        trust["bücher.example"] = .init(pinning: exact)
        #expect(trust.policy(for: "xn--bcher-kva.example").pinning == exact)
    }
}
