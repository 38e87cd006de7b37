import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Servers that want to know who their client is.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct ClientCertificateTests {
    private let server: NginxServer

    init() async throws {
        server = try await NginxServer.shared()
        try Data("secret".utf8).write(to: server.root.appending(path: "members"))
    }

    private func answer(to identity: HTTPClientIdentity?) async throws -> HTTPDataResponse {
        let trust = HTTPTrust(policy: .init(authorities: .file(server.caFile), clientIdentity: identity))
        return try await HTTPSession(configuration: .init(trust: trust))
            .data(for: HTTPRequest(url: server.url("/members", through: .clientCertificate)))
    }

    private func pem(_ certificate: String, key: String = "client.key", passphrase: String? = nil) -> HTTPClientIdentity
    {
        .pem(
            certificate: server.certificateFile(certificate),
            key: server.certificateFile(key),
            passphrase: passphrase
        )
    }

    @Test func theRightCertificateInEachForm() async throws {
        let identities = [
            pem("client.pem"), pem("client.pem", key: "locked.key", passphrase: "magpie"),
            .pkcs12(server.certificateFile("client.p12"), passphrase: "magpie"),
        ]
        for identity in identities { #expect(try await answer(to: identity).body == Data("secret".utf8)) }
    }

    /// nginx refuses by an answer, after the handshake.
    @Test func noneAndAWrongOne() async throws {
        #expect(try await answer(to: nil).status.code == 400)
        #expect(try await answer(to: pem("stranger.pem")).status.code == 400)
    }

    @Test func filesThatCannotBeRead() async throws {
        let identities = [
            pem("missing.pem"), pem("client.pem", key: "locked.key"),
            pem("client.pem", key: "locked.key", passphrase: "x"),
            .pkcs12(server.certificateFile("client.p12"), passphrase: "x"), pem("client.pem", key: "server.key"),
        ]
        for identity in identities {
            let error = await #expect(throws: HTTPError.self) { try await answer(to: identity) }
            #expect(error == .unreadableCertificateFile(identity.certificateFile.path))
        }
    }

    /// OpenSSL's own server refuses in the handshake, as RFC 8446 §4.4.2.4 has it.
    @Test func refusedInTheHandshake() async throws {
        let strict = try await OpenSSLServer(certificatesOf: server)
        let good = HTTPTrust(policy: .init(authorities: .file(server.caFile), clientIdentity: pem("client.pem")))
        let session = HTTPSession(configuration: .init(trust: good))
        #expect(try await session.data(for: HTTPRequest(url: strict.url)).status == .ok)
        for identity in [nil, pem("stranger.pem")] {
            let trust = HTTPTrust(policy: .init(authorities: .file(server.caFile), clientIdentity: identity))
            await #expect(throws: HTTPError.clientCertificateRefused(host: "localhost", wasGiven: identity != nil)) {
                try await HTTPSession(configuration: .init(trust: trust)).data(for: HTTPRequest(url: strict.url))
            }
        }
    }
}
