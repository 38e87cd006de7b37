import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Authentication against a server that others made.
@Suite(.timeLimit(.minutes(1)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HttpbinAuthenticationTests {
    @Test(arguments: [
        "basic-auth/ada/secret", "digest-auth/auth/ada/secret/MD5", "digest-auth/auth/ada/secret/SHA-256",
    ])
    func passwords(path: String) async throws {
        let server = try await HttpbinServer.shared()
        var request = HTTPRequest(url: server.url(path))
        #expect(try await HTTPSession().data(for: request).status == 401)
        request.credential = HTTPCredential(user: "ada", password: "secret")
        #expect(try await HTTPSession().data(for: request).status == 200)
        request.credential = HTTPCredential(user: "ada", password: "guess")
        #expect(try await HTTPSession().data(for: request).status == 401)
    }

    @Test func bearerTokens() async throws {
        let server = try await HttpbinServer.shared()
        var request = HTTPRequest(url: server.url("bearer"))
        #expect(try await HTTPSession().data(for: request).status == 401)
        request.credential = .bearer("token")
        #expect(try await HTTPSession().data(for: request).json()["token"].string == "token")
    }

    @Test("AFNetworking 27: a basic authorization among the session's fields opens a hidden address")
    func anAuthorizationThatIsNotAskedFor() async throws {
        let server = try await HttpbinServer.shared()
        let url = server.url("hidden-basic-auth/ada/secret")
        let credential = HTTPCredential(user: "ada", password: "secret")
        let session = HTTPSession(configuration: .init(headerFields: [.authorization: credential.authorization]))
        #expect(try await session.data(for: HTTPRequest(url: url)).status == 200)
        #expect(try await HTTPSession().data(for: HTTPRequest(url: url)).status == 404)
    }
}
