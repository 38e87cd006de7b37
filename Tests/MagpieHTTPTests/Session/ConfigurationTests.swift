import Foundation
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// The fields and settings that a session gives to its tasks.
struct ConfigurationTests {
    private func languages(_ environment: [String: String]) -> String? {
        HTTPSession.Configuration.acceptLanguage(environment: environment)
    }

    @Test func languagesHaveFallingQualities() {
        #expect(languages(["LANG": "de_DE.UTF-8"]) == "de-DE;q=1")
        #expect(languages(["LANG": "de_DE", "LC_ALL": "fr_FR@euro"]) == "fr-FR;q=1")
        #expect(
            languages(["LANGUAGE": "en_GB:en:de:fr:it:es:pt:nl", "LANG": "C"])
                == "en-GB;q=1, en;q=0.9, de;q=0.8, fr;q=0.7, it;q=0.6, es;q=0.5"
        )
        #expect(languages(["LANG": "C.UTF-8"]) == nil)
        #expect(languages(["LANG": "POSIX"]) == nil)
        #expect(languages([:]) == nil)
        #expect(languages(["LANG": "e\r\nvil, x"]) == nil)
        #expect(languages(["LANGUAGE": ":::de:de"]) == "de;q=1")
    }

    @Test("AFNetworking 8: fields are set, read and removed, also by many at once")
    func fieldsOfASession() async {
        var configuration = HTTPSession.Configuration()
        #expect(configuration.headerFields[.userAgent]?.hasPrefix("Magpie/") == true)
        #expect(configuration.headerFields[.from] == nil)
        configuration.headerFields[.from] = "ada"
        #expect(configuration.headerFields[.from] == "ada")
        configuration.headerFields[.from] = nil
        #expect(!configuration.headerFields.contains(.from))
        let session = HTTPSession(configuration: configuration)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...1000 {
                group.addTask {
                    session.interceptors = [.retry(.exponential(limit: number))]
                    session.maximumConcurrentTasks = number
                }
            }
        }
        #expect(session.interceptors.count == 1)
    }

    @Test("AFNetworking 23: the fields of a request go before those of the session")
    func fieldsOfARequest() throws {
        let url = try #require(URL(string: "http://host/"))
        let transport = ScriptedTransport { _, exchange in exchange.exchangeDidFinish(.failure(.cancelled)) }
        let session = HTTPSession(
            configuration: .init(headerFields: [.from: "session", .referer: "kept"]),
            transport: transport
        )
        let request = HTTPRequest(method: .post, url: url, headerFields: [.from: "request"])
        let task = session.data(for: request, completion: { _ in })
        #expect(task.originalRequest.headerFields[.from] == "request")
        #expect(task.originalRequest.headerFields[.referer] == "kept")
    }

    @Test("AFNetworking 31: a session made of another's configuration behaves like it, and is another")
    func aSessionLikeAnother() throws {
        let credential = HTTPCredential(user: "ada", password: "secret")
        let first = HTTPSession(
            baseURL: "http://host/v1",
            configuration: .init(maximumConcurrentTasks: 3, redirects: .none, credential: credential)
        )
        let second = HTTPSession(baseURL: first.baseURL, configuration: first.configuration)
        #expect(first !== second)
        #expect(second.baseURL == first.baseURL)
        #expect(second.maximumConcurrentTasks == 3)
        #expect(second.configuration.redirects == .none)
        #expect(second.configuration.credential == credential)
        second.maximumConcurrentTasks = 5
        #expect(first.maximumConcurrentTasks == 3)
    }

    @Test func secretsOfASessionGoToItsOwnServerAlone() throws {
        let transport = ScriptedTransport { _, exchange in exchange.exchangeDidFinish(.failure(.cancelled)) }
        let fields: HTTPFields = [.authorization: "Bearer t", .cookie: "a=1", .proxyAuthorization: "p", .from: "ada"]
        let session = HTTPSession(
            baseURL: "https://host/v1",
            configuration: .init(headerFields: fields),
            transport: transport
        )
        for (address, isOwn) in [
            ("https://host/x", true), ("https://other/x", false), ("http://host/x", false), ("https://host:1/", false),
        ] {
            let url = try #require(URL(string: address))
            let sent = session.data(for: HTTPRequest(url: url), completion: { _ in }).originalRequest.headerFields
            for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization] {
                #expect(sent.contains(name) == isOwn, "\(address)")
            }
            #expect(sent[.from] == "ada")
        }
        let free = HTTPSession(configuration: .init(headerFields: fields), transport: transport)
        let url = try #require(URL(string: "https://other/x"))
        #expect(
            free.data(for: HTTPRequest(url: url), completion: { _ in }).originalRequest.headerFields.contains(.cookie)
        )
    }
}
