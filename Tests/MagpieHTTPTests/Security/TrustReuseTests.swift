import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What one policy accepted must not be taken for granted by another, though the transport is the same.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx and openssl are needed"), .timeLimit(.minutes(1)))
struct TrustReuseTests {
    private static let otherPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private let server: NginxServer
    private let transport = CurlTransport()

    init() async throws { server = try await NginxServer.shared() }

    private func load(
        _ trust: HTTPTrust,
        through entrance: NginxServer.Entrance = .secureHTTP1,
        closing: Bool = false
    ) async throws(HTTPError) -> HTTPDataResponse {
        var request = HTTPRequest(url: server.url("/trust", through: entrance))
        if closing { request.headerFields[.connection] = "close" }
        return try await HTTPSession(configuration: .init(trust: trust), transport: transport).data(for: request)
    }

    @Test func aPooledHandleForgetsCarelessness() async throws {
        _ = try await load(.init(allowsUntrustedCertificates: true), through: .selfSigned)
        await #expect(throws: HTTPError.untrustedCertificate(host: "localhost", problem: .selfSigned)) {
            try await load(.system, through: .selfSigned)
        }
    }

    /// Every pair of policies; with and without the lax one's connection still open (a session of TLS may be resumed).
    @Test(arguments: [false, true])
    func neitherConnectionsNorSessionsAreShared(closing: Bool) async throws {
        let plain = HTTPTrust(caFile: server.caFile)
        let lax = HTTPTrust(allowsUntrustedCertificates: true)
        let nameless = HTTPTrust(policy: .init(authorities: .file(server.caFile), validatesDomainName: false))
        let pinned = HTTPTrust(caFile: server.caFile, pinnedPublicKeys: [server.publicKeyPin])
        for accepting in [plain, lax, nameless, pinned] {
            for _ in 0..<2 { _ = try await load(accepting, closing: closing) }
            let wrong = HTTPTrust(caFile: server.caFile, pinnedPublicKeys: [Self.otherPin])
            await #expect(throws: HTTPError.untrustedCertificate(host: "localhost", problem: .pinMismatch)) {
                try await load(wrong, closing: closing)
            }
            await #expect(throws: HTTPError.untrustedCertificate(host: "localhost", problem: .unknownAuthority)) {
                try await load(.system, closing: closing)
            }
        }
    }

    @Test func oneHostsPolicyIsOnlyIts() async throws {
        var trust = HTTPTrust(caFile: server.caFile)
        _ = try await load(trust)
        trust["localhost"] = .init(authorities: .file(server.caFile), pinning: .publicKeys([Self.otherPin]))
        await #expect(throws: HTTPError.untrustedCertificate(host: "localhost", problem: .pinMismatch)) {
            try await load(trust)
        }
    }

    @Test func onePolicyKeepsItsConnection() async throws {
        let pinned = HTTPTrust(caFile: server.caFile, pinnedPublicKeys: [server.publicKeyPin])
        #expect(try await load(pinned).metrics.isConnectionReused == false)
        #expect(try await load(pinned).metrics.isConnectionReused)
    }
}
