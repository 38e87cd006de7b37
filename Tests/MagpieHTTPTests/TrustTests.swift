import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Which certificates are accepted.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TrustTests {
    private func error(through entrance: NginxServer.Entrance, _ trust: HTTPTrust) async throws -> HTTPError? {
        let server = try await NginxServer.shared()
        let session = HTTPSession(configuration: .init(trust: trust))
        do {
            _ = try await session.data(for: HTTPRequest(url: server.url("/trust", through: entrance)))
            return nil
        } catch { return error }
    }

    private func trust() async throws -> HTTPTrust { .init(caFile: try await NginxServer.shared().caFile) }

    @Test func aGoodCertificate() async throws {
        #expect(try await error(through: .secure, trust()) == nil)
    }

    @Test func anAuthorityThatIsNotTrusted() async throws {
        let expected = HTTPError.untrustedCertificate(host: "localhost", problem: .unknownAuthority)
        #expect(try await error(through: .secure, .system) == expected)
    }

    @Test(arguments: [
        (NginxServer.Entrance.expired, HTTPError.CertificateProblem.expired(on: nil)),
        (.notYetValid, .notYetValid(from: nil)), (.wrongHost, .wrongHost), (.selfSigned, .selfSigned),
    ])
    func badCertificates(entrance: NginxServer.Entrance, problem: HTTPError.CertificateProblem) async throws {
        let expected = HTTPError.untrustedCertificate(host: "localhost", problem: problem)
        #expect(try await error(through: entrance, trust()) == expected)
        #expect(try await error(through: entrance, .init(allowsUntrustedCertificates: true)) == nil)
    }

    @Test func pinnedKeys() async throws {
        let server = try await NginxServer.shared()
        let other = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let good = HTTPTrust(caFile: server.caFile, pinnedPublicKeys: [other, server.publicKeyPin])
        #expect(try await error(through: .secure, good) == nil)
        let mismatch = HTTPError.untrustedCertificate(host: "localhost", problem: .pinMismatch)
        #expect(try await error(through: .secure, .init(caFile: server.caFile, pinnedPublicKeys: [other])) == mismatch)
        let careless = HTTPTrust(allowsUntrustedCertificates: true, pinnedPublicKeys: [other])
        #expect(try await error(through: .secure, careless) == mismatch)
    }

    @Test func aFileOfAuthoritiesThatIsNone() async throws {
        let missing = URL(filePath: "/no/such/file.pem")
        #expect(try await error(through: .secure, .init(caFile: missing)) == .unreadableCertificateFile(missing.path))
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

    /// A handle that served a careless session's request must not be careless with the next one.
    @Test func trustDoesNotLeakThroughPooledHandles() async throws {
        let server = try await NginxServer.shared()
        let transport = CurlTransport()
        let request = HTTPRequest(url: server.url("/trust", through: .selfSigned))
        let careless = HTTPSession(
            configuration: .init(trust: .init(allowsUntrustedCertificates: true)),
            transport: transport
        )
        let strict = HTTPSession(transport: transport)
        _ = try await careless.data(for: request)
        await #expect(throws: HTTPError.untrustedCertificate(host: "localhost", problem: .selfSigned)) {
            try await strict.data(for: request)
        }
    }
}
