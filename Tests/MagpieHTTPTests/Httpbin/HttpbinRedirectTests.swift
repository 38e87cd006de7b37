import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Redirects of a server that others made (RFC 9110 §15.4).
@Suite(.timeLimit(.minutes(1)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HttpbinRedirectTests {
    private static let cases: [(status: Int, method: HTTPRequest.Method, becomes: HTTPRequest.Method)] = [
        (301, .get, .get), (302, .get, .get), (303, .get, .get), (307, .get, .get), (308, .get, .get),
        (301, .post, .get), (302, .post, .get), (303, .post, .get), (307, .post, .post), (308, .post, .post),
        (301, .put, .put), (302, .put, .put), (303, .put, .get), (307, .put, .put), (308, .put, .put),
        (301, .patch, .patch), (303, .patch, .get), (308, .patch, .patch),
        (302, .delete, .delete), (303, .delete, .get), (307, .delete, .delete),
    ]

    @Test(arguments: cases, [true, false])
    func methodAndBody(
        redirect: (status: Int, method: HTTPRequest.Method, becomes: HTTPRequest.Method),
        isAbsolute: Bool
    ) async throws {
        let session = HTTPSession(baseURL: try await HttpbinServer.shared().baseURL)
        let target = isAbsolute ? try session.url(for: "anything?x=1").absoluteString : "/anything?x=1"
        var request = try session.request(
            redirect.method,
            "redirect-to",
            query: ["url": .string(target), "status_code": .integer(redirect.status)]
        )
        let hasBody = redirect.method == .post || redirect.method == .put || redirect.method == .patch
        if hasBody {
            request.body = .bytes(Data("a=b".utf8))
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        }
        let answer = try await session.data(for: request)
        let seen = try answer.json()
        #expect(answer.metrics.redirectCount == 1)
        #expect(answer.response.url.absoluteString == (try session.url(for: "anything?x=1").absoluteString))
        #expect(seen["method"].string == redirect.becomes.rawValue)
        #expect(seen["args"]["x"].string == "1")
        let keepsBody = hasBody && redirect.becomes == redirect.method
        #expect(seen["form"]["a"].string == (keepsBody ? "b" : nil))
        #expect((seen["headers"]["Content-Type"].string?.isEmpty == false) == keepsBody)
    }

    @Test(arguments: ["redirect", "relative-redirect", "absolute-redirect"]) func chains(path: String) async throws {
        let server = try await HttpbinServer.shared()
        let session = HTTPSession(configuration: .init(redirects: .follow(limit: 5)))
        let answer = try await session.data(for: HTTPRequest(url: server.url("\(path)/5")))
        #expect(answer.status == .ok && answer.metrics.redirectCount == 5)
        #expect(answer.response.url == server.url("get"))
        await #expect(throws: HTTPError.tooManyRedirects(limit: 5)) {
            try await session.data(for: HTTPRequest(url: server.url("\(path)/6")))
        }
        let still = HTTPSession(configuration: .init(redirects: .none))
        #expect(try await still.data(for: HTTPRequest(url: server.url("\(path)/2"))).status == 302)
    }
}
