import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a session remembers of a server that others made: cookies and answers.
@Suite(.timeLimit(.minutes(1)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HttpbinStateTests {
    private func cookies(_ session: HTTPSession, _ path: String = "cookies") async throws -> [String: String] {
        let answer = try await session.get(path).json()["cookies"]
        return (answer.dictionary ?? [:]).compactMapValues(\.string)
    }

    @Test func cookiesComeAndGo() async throws {
        let session = HTTPSession(baseURL: try await HttpbinServer.shared().baseURL)
        // The redirect that sets them leads to what shows them.
        #expect(try await cookies(session, "cookies/set?a=1&b=2") == ["a": "1", "b": "2"])
        #expect(try await cookies(session, "cookies/set/a/3") == ["a": "3", "b": "2"])
        #expect(try await cookies(session, "cookies/delete?a=") == ["b": "2"])
        #expect(try await cookies(session) == ["b": "2"])
        #expect(session.configuration.cookieJar?.cookies.map(\.name) == ["b"])
        var request = try session.request(.get, "cookies")
        request.handlesCookies = false
        #expect(try await session.data(for: request).json()["cookies"].dictionary?.isEmpty == true)
    }

    @Test func aJarOnDiskServesTheNextSession() async throws {
        let server = try await HttpbinServer.shared()
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "cookies.txt")
        let jar = try HTTPCookieJar(file: file)
        let first = HTTPSession(baseURL: server.baseURL, configuration: .init(cookieJar: jar))
        _ = try await first.get("cookies/set/bird/magpie")
        try jar.save(includingSessionCookies: true)
        let next = HTTPSession(
            baseURL: server.baseURL,
            configuration: .init(cookieJar: try HTTPCookieJar(file: file))
        )
        #expect(try await cookies(next) == ["bird": "magpie"])
    }

    @Test func conditions() async throws {
        let url = try await HttpbinServer.shared().url("etag/one")
        let answers = [
            (HTTPField.Name.ifNoneMatch, "\"one\"", 304), (.ifNoneMatch, "\"two\"", 200), (.ifNoneMatch, "*", 304),
            (.ifMatch, "\"one\"", 200), (.ifMatch, "\"two\"", 412),
        ]
        for (name, tag, status) in answers {
            let answer = try await HTTPSession().data(for: HTTPRequest(url: url, headerFields: [name: tag]))
            #expect(answer.status.code == status, "\(name): \(tag)")
            #expect(answer.body.isEmpty == (status != 200))
        }
    }

    @Test(arguments: ["etag/one", "cache"]) func validatedAnswersAreNotSentAgain(path: String) async throws {
        let session = HTTPSession(configuration: .init(cache: HTTPCache()))
        let request = HTTPRequest(url: try await HttpbinServer.shared().url(path))
        let first = try await session.data(for: request)
        #expect(first.status == .ok && first.metrics.cache == .none)
        let second = try await session.data(for: request)
        #expect(second.status == .ok && second.metrics.cache == .revalidated)
        #expect(second.body == first.body)
    }

    @Test func freshAnswersAreNotAskedForAgain() async throws {
        let server = try await HttpbinServer.shared()
        let session = HTTPSession(configuration: .init(cache: HTTPCache()))
        var request = HTTPRequest(url: server.url("cache/60"))
        #expect(try await session.data(for: request).metrics.cache == .none)
        #expect(try await session.data(for: request).metrics.cache == .hit)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(try await session.data(for: request).metrics.cache == .none)
        request = HTTPRequest(url: server.url("response-headers?Cache-Control=no-store"))
        for _ in 0..<2 { #expect(try await session.data(for: request).metrics.cache == .none) }
    }
}
