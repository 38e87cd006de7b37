import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Which servers are accepted, shown by nginx with certificates good and bad of an authority of our own.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TrustTests {
    private static let otherPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func error(through entrance: NginxServer.Entrance, _ trust: HTTPTrust) async throws -> HTTPError? {
        let server = try await NginxServer.shared()
        let session = HTTPSession(configuration: .init(trust: trust))
        do {
            _ = try await session.data(for: HTTPRequest(url: server.url("/trust", through: entrance)))
            return nil
        } catch { return error }
    }

    private func refused(_ problem: HTTPError.CertificateProblem) -> HTTPError {
        .untrustedCertificate(host: "localhost", problem: problem)
    }

    private func trust(_ change: (inout HTTPTrust.Policy, NginxServer) throws -> Void = { _, _ in }) async throws
        -> HTTPTrust
    {
        let server = try await NginxServer.shared()
        var policy = HTTPTrust.Policy(authorities: .file(server.caFile))
        try change(&policy, server)
        return HTTPTrust(policy: policy)
    }

    @Test(arguments: [NginxServer.Entrance.secure, .secureHTTP1, .chained])
    func goodChains(entrance: NginxServer.Entrance) async throws {
        #expect(try await error(through: entrance, trust()) == nil)
    }

    @Test func anAuthorityThatIsNotTrusted() async throws {
        #expect(try await error(through: .secure, .system) == refused(.unknownAuthority))
    }

    @Test(arguments: [
        (NginxServer.Entrance.expired, HTTPError.CertificateProblem.expired(on: "2021-03-01")),
        (.notYetValid, .notYetValid(from: "2048-01-01")), (.wrongHost, .wrongHost), (.selfSigned, .selfSigned),
        (.unknownRoot, .unknownAuthority), (.clientOnly, .wrongPurpose),
        (.expiredIssuer, .issuer("Test Intermediate", .expired(on: "2021-03-01"))),
        (.falseAuthority, .issuer("test server", .wrongPurpose)),
    ])
    func badCertificates(entrance: NginxServer.Entrance, problem: HTTPError.CertificateProblem) async throws {
        #expect(try await error(through: entrance, trust()) == refused(problem))
        #expect(try await error(through: entrance, .init(allowsUntrustedCertificates: true)) == nil)
    }

    /// AFNetworking's behaviour 30: the error of trust says whom it is about, whatever else is known.
    @Test func theMessageSaysWhoAndWhen() {
        let problems: [HTTPError.CertificateProblem] = [
            .expired(on: "2021-03-01"), .expired(on: nil), .notYetValid(from: "2048-01-01"), .notYetValid(from: nil),
            .selfSigned, .unknownAuthority, .wrongHost, .pinMismatch, .revoked, .wrongPurpose, .unconfirmedStatus,
            .issuer("Test Intermediate", .revoked), .other("words"),
        ]
        for problem in problems {
            let text = refused(problem).description
            #expect(text.contains("localhost") && !text.contains("\n"))
        }
        let expired = refused(.expired(on: "2021-03-01")).description
        #expect(expired == "the certificate of localhost expired on 2021-03-01; its owner has to renew it")
        let issuer = refused(.issuer("Test Intermediate", .expired(on: "2021-03-01"))).description
        #expect(issuer.contains("“Test Intermediate”, which vouches for localhost, expired on 2021-03-01"))
        let others: [HTTPError] = [
            .clientCertificateRefused(host: "h", wasGiven: true), .clientCertificateRefused(host: "h", wasGiven: false),
            .pinnedHostWithoutTLS("h"),
        ]
        for error in others { #expect(error.description.contains(" h") || error.description.hasPrefix("h ")) }
        #expect(Set(others.map(\.description)).count == 3)
    }

    @Test func anotherHostIsAcceptedWhereTheNameDoesNotMatter() async throws {
        #expect(try await error(through: .wrongHost, trust { policy, _ in policy.validatesDomainName = false }) == nil)
    }

    @Test(arguments: ["server", "intermediate", "ca"])
    func aPinnedKeyAnywhereInTheChain(name: String) async throws {
        let pinned = try await trust { policy, server in
            policy.pinning = .publicKeys([Self.otherPin, server.publicKeyPin(of: name)])
        }
        #expect(try await error(through: .chained, pinned) == nil)
    }

    @Test(arguments: ["leaf.pem", "intermediate.pem", "ca.pem"])
    func aPinnedCertificateAnywhereInTheChain(name: String) async throws {
        let pinned = try await trust { policy, server in
            policy.pinning = .certificates([try Data(contentsOf: server.certificateFile(name))])
        }
        #expect(try await error(through: .chained, pinned) == nil)
    }

    /// AFNetworking's behaviour 29: a pin that does not match ends the request with an error that names the host.
    @Test func pinsThatDoNotMatch() async throws {
        let keys = try await trust { policy, _ in policy.pinning = .publicKeys([Self.otherPin]) }
        let certificates = try await trust { policy, server in
            policy.pinning = .certificates([try Data(contentsOf: server.certificateFile("good.pem"))])
        }
        for trust in [keys, certificates] {
            #expect(try await error(through: .chained, trust) == refused(.pinMismatch))
        }
        #expect(refused(.pinMismatch).description.contains("localhost"))
        let careless = HTTPTrust(allowsUntrustedCertificates: true, pinnedPublicKeys: [Self.otherPin])
        #expect(try await error(through: .secure, careless) == refused(.pinMismatch))
    }

    @Test func pinsOfOneHostAlone() async throws {
        var trust = try await trust()
        trust["localhost"] = .init(authorities: trust.policy.authorities, pinning: .publicKeys([Self.otherPin]))
        #expect(try await error(through: .secure, trust) == refused(.pinMismatch))
        trust["localhost"] = nil
        trust["*.localhost"] = .init(pinning: .publicKeys([Self.otherPin]))
        #expect(try await error(through: .secure, trust) == nil)
    }

    /// AFNetworking's behaviour 28: pins and an address without TLS do not go together; without pins anything goes.
    @Test func pinsWantTLS() async throws {
        let pinned = HTTPTrust.pinned(publicKeys: [Self.otherPin], for: "127.0.0.1")
        #expect(try await error(through: .plain, pinned) == .pinnedHostWithoutTLS("127.0.0.1"))
        let certificates = HTTPTrust.pinned(certificates: [Data()], for: "127.0.0.1")
        #expect(try await error(through: .plain, certificates) == .pinnedHostWithoutTLS("127.0.0.1"))
        #expect(try await error(through: .plain, .system) == nil)
    }

    @Test func authoritiesAsTextAndAsFolder() async throws {
        let text = try await trust { policy, server in policy.authorities = .pem(try Data(contentsOf: server.caFile)) }
        #expect(try await error(through: .secure, text) == nil)
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: await NginxServer.shared().caFile,
            to: folder.url.appending(path: "ca.pem")
        )
        let hash = Process()
        hash.executableURL = URL(filePath: "/usr/bin/openssl")
        hash.arguments = ["rehash", folder.url.path]
        try hash.runHearingSignals()
        hash.waitUntilExit()
        let inFolder = HTTPTrust(policy: .init(authorities: .folder(folder.url)))
        #expect(try await error(through: .secure, inFolder) == nil)
    }

    @Test func aFileOfAuthoritiesThatIsNone() async throws {
        let missing = URL(filePath: "/no/such/file.pem")
        #expect(try await error(through: .secure, .init(caFile: missing)) == .unreadableCertificateFile(missing.path))
    }

    @Test func aCertificateThatWasRevoked() async throws {
        #expect(try await error(through: .revoked, trust()) == nil)
        let strict = try await trust { policy, server in policy.revocationLists = server.certificateFile("crl.pem") }
        #expect(try await error(through: .revoked, strict) == refused(.revoked))
        #expect(try await error(through: .secure, strict) == nil)
        let missing = try await trust { policy, _ in policy.revocationLists = URL(filePath: "/no/list.pem") }
        #expect(try await error(through: .secure, missing) == .unreadableCertificateFile("/no/list.pem"))
    }

    @Test func aStapledStatusThatIsMissing() async throws {
        let strict = try await trust { policy, _ in policy.requiresStapledStatus = true }
        #expect(try await error(through: .secure, strict) == refused(.unconfirmedStatus))
    }

    @Test func aStapledStatus() async throws {
        let strict = try await trust { policy, _ in policy.requiresStapledStatus = true }
        #expect(try await error(through: .stapled, strict) == nil)
        #expect(try await error(through: .stapledRevoked, strict) == refused(.revoked))
    }

    @Test func versionsOfTLS() async throws {
        let newest = try await trust { policy, _ in policy.minimumTLSVersion = .tls13 }
        #expect(try await error(through: .secure, newest) == nil)
        let tooOld = HTTPError.secureConnectionFailed(
            host: "localhost",
            reason: "the server speaks no TLS 1.2 or newer"
        )
        #expect(try await error(through: .oldTLS, trust()) == tooOld)
    }

    @Test func plainTextOnASecurePort() async throws {
        let session = HTTPSession()
        let plain = try await NginxServer.shared()
        let wrong = try #require(URL(string: "https://127.0.0.1:\(plain.url("/").port ?? 0)/"))
        do {
            _ = try await session.data(for: HTTPRequest(url: wrong))
            Issue.record("TLS with a server that has none")
        } catch {
            #expect(error.code == "secure-connection-failed")
        }
    }

    /// The TLS of HTTP/3 asks for no check of pins.
    @Test func pinsAndHTTP3() async throws {
        let policy = HTTPTrust.Policy(pinning: .publicKeys([Self.otherPin]))
        let session = HTTPSession(configuration: .init(trust: HTTPTrust(policy: policy), versions: .http3))
        await #expect(throws: HTTPError.unsupportedFeature("HTTP/3 to hosts with pins")) {
            try await session.data(for: HTTPRequest(url: NginxServer.shared().url("/trust", through: .secure)))
        }
    }
}
