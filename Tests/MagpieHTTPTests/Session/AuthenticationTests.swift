import Foundation
import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

/// Challenges and their answers.
@Suite(.timeLimit(.minutes(1)))
struct AuthenticationTests {
    private func challenges(_ values: [String], status: Int = 401) throws -> [HTTPChallenge] {
        let url = try #require(URL(string: "http://host/"))
        var fields = HTTPFields()
        fields[values: status == 407 ? .proxyAuthenticate : .wwwAuthenticate] = values
        return HTTPChallenge.all(in: HTTPResponse(status: .init(code: status), headerFields: fields, url: url))
    }

    @Test func severalChallengesInOneField() throws {
        let field =
            #"Basic realm="a, \"b\" = c", charset=UTF-8,, Negotiate, NTLM dG9rZW4=, Digest realm = x , qop="auth,auth-int",nonce="n""#
        let found = try challenges([field, "Bearer"])
        #expect(found.map(\.scheme) == ["basic", "negotiate", "ntlm", "digest", "bearer"])
        #expect(found[0].realm == #"a, "b" = c"#)
        #expect(found[0].parameters["charset"] == "UTF-8")
        #expect(found[1].parameters.isEmpty && found[1].token == nil)
        #expect(found[2].token == "dG9rZW4=")
        #expect(found[3].parameters == ["realm": "x", "qop": "auth,auth-int", "nonce": "n"])
        #expect(found.allSatisfy { $0.host == "host" && !$0.isProxy })
        #expect(try challenges(["Basic realm=x"], status: 407).first?.isProxy == true)
        #expect(try challenges(["Basic realm=x"], status: 403).isEmpty)
    }

    @Test(arguments: [
        "", ",,,", "=", "\"", "Basic realm=\"open", "Basic =x", "\"a\"=b", "a=b", "Basic realm=", "\\", "é, Basic",
        "Basic realm=\"\\",
        "Basic ====", "Digest nonce=,realm",
    ])
    func brokenFieldsDoNoHarm(field: String) throws {
        for challenge in try challenges([field]) { #expect(!challenge.scheme.isEmpty) }
    }

    /// RFC 7616 §3.9.1 and, for the older form, RFC 2069's way with RFC 2617's values.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func theExamplesOfTheRFC(algorithm: String, response: String) throws {
        let field = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        let answer = DigestAnswer(
            challenge: try #require(try challenges([field]).first),
            user: "Mufasa",
            password: "Circle of Life",
            method: "GET",
            target: "/dir/index.html",
            nonceCount: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        let value = try #require(answer.authorization)
        #expect(value.contains("response=\"\(response)\""))
        #expect(value.contains("nc=00000001"))
        #expect(value.contains("username=\"Mufasa\""))
        #expect(value.contains("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""))
    }

    /// RFC 7616 §3.9.2.
    @Test func theExampleWithAHashedName() throws {
        let field = """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, userhash=true, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"
            """
        let answer = DigestAnswer(
            challenge: try #require(try challenges([field]).first),
            user: "J\u{e4}s\u{f8}n Doe",
            password: "Secret, or not?",
            method: "GET",
            target: "/doe.json",
            nonceCount: 1,
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"
        )
        let value = try #require(answer.authorization)
        #expect(value.contains("username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\""))
        #expect(value.contains("userhash=true"))
    }

    @Test func theStrongestIsAnswered() throws {
        let found = try challenges([
            "Basic realm=x, Digest realm=x, algorithm=MD5, nonce=a, Digest realm=x, algorithm=SHA-256, nonce=b, Unknown",
            "Digest realm=x, algorithm=ROT13, nonce=c",
        ])
        #expect(HTTPChallenge.strongest(of: found)?.parameters["nonce"] == "b")
    }

    /// Accepts digest answers that it computes itself; a nonce is good for three requests.
    private func digestServer(_ credential: (user: String, password: String), algorithm: String) throws -> FaultServer {
        let state = Lock((nonce: 0, uses: 0))
        return try FaultServer { connection, request in
            let field = request.field("Authorization").map { $0.replacing("Digest ", with: "Digest ") } ?? ""
            var parser = ChallengeParser(field)
            let given = parser.challenges().first?.parameters ?? [:]
            let (isGood, isStale, nonce) = state.withLock { state -> (Bool, Bool, String) in
                guard given["nonce"] == "n\(state.nonce)" else {
                    let isStale = given["nonce"] != nil
                    return (false, isStale, "n\(state.nonce)")
                }
                state.uses += 1
                let count = Int(given["nc"] ?? "", radix: 16)
                if state.uses > 3 {
                    state = (state.nonce + 1, 0)
                    return (false, true, "n\(state.nonce)")
                }
                return (count == state.uses, false, "n\(state.nonce)")
            }
            let challenge = HTTPChallenge(
                scheme: "digest",
                parameters: ["realm": "r", "nonce": nonce, "qop": "auth", "algorithm": algorithm]
            )
            let expected = DigestAnswer(
                challenge: challenge,
                user: credential.user,
                password: credential.password,
                method: request.method,
                target: request.target,
                nonceCount: UInt32(given["nc"] ?? "", radix: 16) ?? 0,
                clientNonce: given["cnonce"] ?? ""
            )
            if isGood, expected.authorization == field { return try connection.respond(text: "in \(request.target)") }
            let stale = isStale ? ", stale=true" : ""
            let answer =
                "WWW-Authenticate: Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=\(algorithm)\(stale)"
            try connection.respond("401 Unauthorized", fields: [answer], body: Data("out".utf8))
        }
    }

    @Test(arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256"])
    func digestWithCountsAndStaleNonces(algorithm: String) async throws {
        let server = try digestServer(("ada", "secret"), algorithm: algorithm)
        let credential = HTTPCredential(user: "ada", password: "secret")
        let session = HTTPSession(baseURL: server.url(), configuration: .init(credential: credential))
        for number in 0..<7 {
            let request = HTTPRequest(url: server.url("/\(number)?a=b%20c"))
            #expect(try await session.data(for: request).text == "in /\(number)?a=b%20c")
        }
        // One refusal at the beginning, and one for each of the two nonces that were too old.
        #expect(server.requests.count == 10)
        let wrong = HTTPSession(configuration: .init(credential: HTTPCredential(user: "ada", password: "guess")))
        #expect(try await wrong.data(for: HTTPRequest(url: server.url())).text == "out")
    }

    @Test func basicIsAnsweredOnceAndThenSentAtOnce() async throws {
        let credential = HTTPCredential(user: "ada", password: "pässword")
        let server = try FaultServer { connection, request in
            guard request.field("Authorization") == "Basic YWRhOnDDpHNzd29yZA==" else {
                return try connection.respond("401 No", fields: ["WWW-Authenticate: Basic realm=x"], body: Data())
            }
            try connection.respond(text: "in")
        }
        var request = HTTPRequest(method: .post, url: server.url(), body: .bytes(Data("body".utf8)))
        request.credential = credential
        let session = HTTPSession()
        for _ in 0..<2 { #expect(try await session.data(for: request).text == "in") }
        #expect(server.requests.map { $0.field("Authorization") != nil } == [false, true, true])
        #expect(server.requests.allSatisfy { $0.body == Data("body".utf8) })

        request.credential = HTTPCredential(user: "ada", password: "wrong")
        #expect(try await session.data(for: request).status == 401)
        #expect(server.requests.count == 5)
        #expect("\(credential)" == "ada:***")
    }

    /// What a server asks for, another does not get.
    @Test func credentialsStayWithTheirOrigin() async throws {
        let thief = try FaultServer { connection, _ in
            try connection.respond("401 No", fields: ["WWW-Authenticate: Basic realm=x"], body: Data("give".utf8))
        }
        let server = try FaultServer { connection, _ in
            try connection.respond("302 Found", fields: ["Location: \(thief.url().absoluteString)"], body: Data())
        }
        for credential in [HTTPCredential(user: "ada", password: "secret"), .bearer("token")] {
            let session = HTTPSession(baseURL: server.url(), configuration: .init(credential: credential))
            #expect(try await session.data(for: HTTPRequest(url: server.url())).text == "give")
            #expect(try await session.data(for: HTTPRequest(url: thief.url())).text == "give")
        }
        #expect(thief.requests.count == 4)
        #expect(thief.requests.allSatisfy { $0.field("Authorization") == nil })
        #expect(server.requests.map { $0.field("Authorization") } == [nil, "Bearer token"])

        var asked = HTTPRedirectPolicy.follow
        asked.keepsCredentials = true
        let trusting = HTTPSession(
            baseURL: server.url(),
            configuration: .init(redirects: asked, credential: .bearer("t"))
        )
        _ = try await trusting.data(for: HTTPRequest(url: server.url()))
        #expect(thief.requests.last?.field("Authorization") == "Bearer t")
    }
}
