import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// What a server that others made reads from requests.
@Suite(.timeLimit(.minutes(1)), .enabled(if: HttpbinServer.isAvailable, "httpbin is not installed"))
struct HttpbinRequestTests {
    private func session() async throws -> HTTPSession {
        HTTPSession(baseURL: try await HttpbinServer.shared().baseURL)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post, .put, .patch, .delete]) func methods(method: HTTPRequest.Method)
        async throws
    {
        let session = try await session()
        let request = try session.request(method, "anything/bird", query: ["q": "blue é"])
        let answer = try await session.data(for: request).json()
        #expect(answer["method"].string == method.rawValue)
        #expect(answer["args"]["q"].string == "blue é")
        #expect(answer["data"].string == "")
        // The same method where it alone is allowed, and one that is not.
        let own = try await session.data(for: session.request(method, method.rawValue.lowercased()))
        #expect(own.status == .ok)
        let other = method == .get ? "post" : "get"
        #expect(try await session.data(for: session.request(method, other)).status == 405)
    }

    @Test func headAndOptions() async throws {
        let session = try await session()
        let head = try await session.data(for: session.request(.head, "get"))
        #expect(head.status == .ok && head.body.isEmpty)
        #expect((head.headerFields[.contentLength].flatMap { Int($0) } ?? 0) > 0)
        let options = try await session.data(for: session.request(.options, "get"))
        let allowed = options.headerFields[.allow] ?? ""
        #expect(options.status == .ok && allowed.contains("GET") && allowed.contains("OPTIONS"))
    }

    @Test func forms() async throws {
        let session = try await session()
        let request = try session.request(.post, "anything", form: ["a": "1 & 2", "tags": ["x", "y"], "é": "漢"])
        let answer = try await session.data(for: request).json()
        #expect(answer["headers"]["Content-Type"].string == "application/x-www-form-urlencoded")
        #expect(answer["form"]["a"].string == "1 & 2")
        #expect(answer["form"]["tags[]"].array?.compactMap(\.string) == ["x", "y"])
        #expect(answer["form"]["é"].string == "漢")
    }

    @Test func jsonBodies() async throws {
        let session = try await session()
        let value: HTTPParameters = ["list": [1, 2.5, true, .null], "name": "é \"quoted\"\n", "deep": ["er": [:]]]
        let answer = try await session.data(for: session.request(.put, "anything", json: value)).json()
        #expect(answer["headers"]["Content-Type"].string == "application/json")
        let json = answer["json"]
        #expect(json["list"][0].int == 1 && json["list"][1].double == 2.5 && json["list"][2].bool == true)
        #expect(json["list"][3].isNull)
        #expect(json["name"].string == "é \"quoted\"\n")
        #expect(json["deep"]["er"].dictionary?.isEmpty == true)
    }

    @Test func formsOfManyParts() async throws {
        let session = try await session()
        let folder = try TemporaryFolder()
        let binary = Data((0...255).map { UInt8($0) })
        var form = MultipartFormData()
        form.append("Ada é", name: "name")
        form.append(file: try folder.write(Data("notes\r\n--x".utf8), to: "notes.txt"), name: "notes")
        form.append(file: try folder.write(binary, to: "all bytes.bin"), name: "binary")
        let request = try form.serialize(into: session.request(.post, "anything"))
        let answer = try await session.data(for: request).json()
        #expect(answer["form"]["name"].string == "Ada é")
        #expect(answer["files"]["notes"].string == "notes\r\n--x")
        // httpbin writes what is no text as a data URL.
        #expect(answer["files"]["binary"].string?.hasSuffix("base64," + binary.base64EncodedString()) == true)
    }

    /// A status is an answer, whichever: nothing hangs, and a body is where the server sends one.
    @Test func everyStatus() async throws {
        let server = try await HttpbinServer.shared()
        let session = HTTPSession(
            configuration: .init(
                maximumConcurrentTasksPerHost: 16,
                timeouts: HTTPTimeouts(idle: .seconds(20)),
                redirects: .none
            )
        )
        let statuses = try await withThrowingTaskGroup(of: (Int, HTTPDataResponse).self) { group in
            for code in 200...599 {
                group.addTask { (code, try await session.data(for: HTTPRequest(url: server.url("status/\(code)")))) }
            }
            return try await group.reduce(into: [Int: HTTPDataResponse]()) { $0[$1.0] = $1.1 }
        }
        #expect(statuses.count == 400)
        for (code, answer) in statuses {
            #expect(answer.status.code == code)
            let hasBody = [402, 406, 418].contains(code)
            #expect(answer.body.isEmpty == !hasBody, "\(code)")
        }
    }
}
