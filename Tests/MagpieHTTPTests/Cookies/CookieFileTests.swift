import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

struct CookieFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "cookies.txt")
    }

    /// As curl writes it.
    private let example = """
        # Netscape HTTP Cookie File
        # https://curl.se/docs/http-cookies.html

        .example.org\tTRUE\t/\tFALSE\t4102444800\twide\t1
        #HttpOnly_www.example.org\tFALSE\t/a\tTRUE\t4102444800\tnarrow\t2
        www.example.org\tFALSE\t/\tFALSE\t0\tsession\t
        old.example.org\tFALSE\t/\tFALSE\t1\told\t3
        nonsense
        x\tFALSE\t/\tFALSE\tsoon\tname\tvalue
        \t\t\t\t\t\t

        """

    @Test func readsWhatCurlWrites() throws {
        try Data(example.utf8).write(to: file)
        let jar = try HTTPCookieJar(file: file)
        let url = try #require(URL(string: "https://www.example.org/a"))
        #expect(jar.fieldValue(for: url)?.split(separator: "; ").sorted() == ["narrow=2", "session=", "wide=1"])
        #expect(jar.cookies.count == 3 && jar.cookies.filter(\.isHTTPOnly).map(\.name) == ["narrow"])
    }

    @Test func survivesARestart() throws {
        let jar = try HTTPCookieJar(file: file)
        var response = HTTPResponse(status: 200, url: try #require(URL(string: "https://www.example.org/a/b")))
        response.headerFields[values: .setCookie] = [
            "k=v; Max-Age=1000; Secure; HttpOnly; Domain=example.org", "s=1", "g=2; Max-Age=1000",
        ]
        jar.storeCookies(of: response)
        try jar.save()
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try HTTPCookieJar(file: file)
        #expect(again.fieldValue(for: response.url)?.split(separator: "; ").sorted() == ["g=2", "k=v"])
        let cookie = try #require(again.cookies.first { $0.name == "k" })
        #expect(cookie.isSecure && cookie.isHTTPOnly && !cookie.isHostOnly && cookie.path == "/a")
        try jar.save(includingSessionCookies: true)
        #expect(try HTTPCookieJar(file: file).cookies.count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["cookies.txt"])
    }

    @Test func namesTheFileThatCannotBeUsed() throws {
        let error = #expect(throws: HTTPError.self) { try HTTPCookieJar(file: folder.url) }
        #expect(error?.code == "cookie-file")
        let jar = try HTTPCookieJar(file: folder.url.appending(path: "missing/cookies.txt"))
        let other = #expect(throws: HTTPError.self) { try jar.save() }
        #expect(other?.description.contains("missing/cookies.txt") == true)
    }
}
