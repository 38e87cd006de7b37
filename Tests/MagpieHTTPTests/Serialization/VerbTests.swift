import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// The methods by their names, against servers.
@Suite(.timeLimit(.minutes(1)))
struct VerbTests {
    private struct Bird: Codable {
        var name = "Ada"
        var wings = 2
    }

    /// A server that answers every request with its own words.
    private func server() throws -> FaultServer {
        try FaultServer { connection, _ in
            let fields = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n"
            try connection.send("HTTP/1.1 200 OK\r\n\(fields){}")
        }
    }

    @Test func targetsAndBodies() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url("/v1/"))
        _ = try await session.get("a", query: ["q": "magpie", "tags": ["bird", "blue"]])
        _ = try await session.delete("b", query: ["x": 1], parameters: ["y": 2])
        _ = try await session.post("c", query: ["x": 1], parameters: ["y": 2])
        _ = try await session.post("d", json: Bird())
        _ = try await session.put("e?z=0", form: ["y": "a b"])
        _ = try await session.patch("f", json: ["wings": 3])
        _ = try await session.post("g")
        let lines = server.requests.map { "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))" }
        #expect(
            lines == [
                "GET /v1/a?q=magpie&tags%5B%5D=bird&tags%5B%5D=blue ", "DELETE /v1/b?x=1&y=2 ", "POST /v1/c?x=1 y=2",
                #"POST /v1/d {"name":"Ada","wings":2}"#, "PUT /v1/e?z=0 y=a%20b", #"PATCH /v1/f {"wings":3}"#,
                "POST /v1/g ",
            ]
        )
        #expect(server.requests[3].field("Content-Type") == "application/json")
        #expect(server.requests[6].field("Content-Length") == "0")
    }

    @Test func parametersAreWrittenByTheSerializerOfTheSession() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url("/"), configuration: .init(requestSerializer: .json))
        _ = try await session.post("a", parameters: ["y": [1, .null]])
        _ = try await session.delete("a", parameters: ["y": 1])
        _ = try await session.post("a", form: ["y": 1])
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"y":[1,null]}"#, "", "y=1"])
        #expect(server.requests[1].target == "/a?y=1")
    }

    @Test("AFNetworking 22: where no request can be made there is no task, and the failure says why")
    func noRequestNoTask() async throws {
        let serializer = FormRequestSerializer(querySerialization: { _, _ in throw HTTPError.cancelled })
        let session = HTTPSession(baseURL: "http://127.0.0.1:1/", configuration: .init(requestSerializer: serializer))
        let failures = Recorder<Bool>()
        let task = session.get(
            "a",
            parameters: ["a": 1],
            success: { _, _ in },
            failure: { task, error in
                failures.record(task == nil && error == .cancelled)
            }
        )
        #expect(task == nil)
        #expect(await failures.elements(1) == [true])
    }

    @Test("AFNetworking 23: the fields of a request override those of the session and of the serializer")
    func fieldsOverride() async throws {
        let server = try server()
        let session = HTTPSession(
            baseURL: server.url("/"),
            configuration: .init(headerFields: [.accept: "default", .acceptLanguage: "de"])
        )
        let fields: HTTPFields = [.accept: "mine", .contentType: "text/mine"]
        _ = try await session.get("a", headerFields: fields)
        _ = try await session.head("a", headerFields: fields)
        _ = try await session.post("a", parameters: ["a": 1], headerFields: fields)
        _ = try await session.post("a", json: 1, headerFields: fields)
        _ = try await session.put("a", parameters: ["a": 1], headerFields: fields)
        _ = try await session.patch("a", parameters: ["a": 1], headerFields: fields)
        _ = try await session.delete("a", headerFields: fields)
        #expect(server.requests.count == 7)
        for request in server.requests {
            #expect(request.field("Accept") == "mine")
            #expect(request.field("Accept-Language") == "de")
            #expect(request.field("Content-Type") == "text/mine")
        }
    }

    @Test("AFNetworking 25: a good status succeeds, 404 fails, 204 succeeds with nothing", arguments: [200, 404, 204])
    func statuses(status: Int) async throws {
        let server = try FaultServer { connection, _ in
            let length = status == 204 ? "" : "Content-Type: application/json\r\nContent-Length: 7\r\n"
            let body = status == 204 ? "" : #"{"a":1}"#
            try connection.send("HTTP/1.1 \(status) X\r\n\(length)\r\n\(body)")
        }
        let endings = Recorder<String>()
        let task = HTTPSession(baseURL: server.url("/")).get(
            "a",
            serializer: JSONResponseSerializer(),
            success: { task, value in endings.record("success \(value["a"].int ?? 0) \(task.state)") },
            failure: { task, error in
                let inner = (try? error.decode([String: Int].self))?["a"] ?? 0
                endings.record("failure \(inner) \(error.code) \(task?.state == .finished)")
            }
        )
        #expect(task != nil)
        let expected = [
            200: "success 1 finished", 404: "failure 1 unacceptable-status true", 204: "success 0 finished",
        ]
        #expect(await endings.elements(1) == [expected[status] ?? ""])
    }

    @Test func everyVerbCallsBackOnce() async throws {
        let server = try server()
        let session = HTTPSession(baseURL: server.url("/"))
        let endings = Recorder<String>()
        let failure: HTTPSession.Failure = { _, error in endings.record(error.code) }
        let success: HTTPSession.Success<Data> = { task, data in
            endings.record("\(task.originalRequest.method) \(data.count)")
        }
        session.get("a", parameters: ["a": 1], success: success, failure: failure)
        session.post("a", parameters: ["a": 1], success: success, failure: failure)
        session.put("a", parameters: ["a": 1], success: success, failure: failure)
        session.patch("a", parameters: ["a": 1], success: success, failure: failure)
        session.delete("a", parameters: ["a": 1], success: success, failure: failure)
        session.head("a", success: { task in endings.record("\(task.originalRequest.method)") }, failure: failure)
        #expect(await endings.elements(6).sorted() == ["DELETE 2", "GET 2", "HEAD", "PATCH 2", "POST 2", "PUT 2"])
        session.get("a", success: success, failure: failure)?.cancel()
        #expect(await endings.elements(7).last.map { ["cancelled", "GET 2"].contains($0) } == true)
    }

    @Test(
        "AFNetworking 24: a server sees forms, queries and JSON as they were meant",
        .enabled(if: HttpbinServer.isAvailable, "python3-httpbin is needed")
    )
    func aRealServerUnderstands() async throws {
        let session = HTTPSession(baseURL: try await HttpbinServer.shared().baseURL)
        let odd = "+ & = % ; / ? # é 漢 👨‍👩‍👧 \r\n"
        for answer in [
            try await session.post("post", parameters: ["key": .string(odd)]),
            try await session.put("put", parameters: ["key": .string(odd)]),
            try await session.patch("patch", parameters: ["key": .string(odd)]),
        ] {
            #expect(try answer.json()["form"]["key"].string == odd)
        }
        #expect(
            try await session.delete("delete", parameters: ["key": .string(odd)]).json()["args"]["key"].string == odd
        )
        #expect(try await session.get("get", query: ["key": .string(odd)]).json()["args"]["key"].string == odd)
        #expect(try await session.post("post", json: ["key": odd]).json()["json"]["key"].string == odd)
        #expect(try await session.head("get", query: ["key": "value"]).validate().status == .ok)
    }

    @Test(
        "AFNetworking 24: a form of many parts goes out from memory and disk, and arrives",
        .enabled(if: HttpbinServer.isAvailable, "python3-httpbin is needed")
    )
    func aRealServerReadsAForm() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "magpie ", count: 100_000)
        var form = MultipartFormData()
        try form.append(["key": "value é"])
        form.append(file: try folder.write(Data(text.utf8), to: "long.txt"), name: "file")
        let chunks = AsyncStream<Data> { continuation in
            for word in text.split(separator: " ") { continuation.yield(Data(word.utf8)) }
            continuation.finish()
        }
        form.append(stream: .sequence(chunks, count: 600_000), name: "stream", fileName: "s.txt")
        let session = HTTPSession(baseURL: try await HttpbinServer.shared().baseURL)
        let request = try form.serialize(into: session.request(.post, "post"))
        let answer = try await session.data(for: request).json()
        #expect(answer["form"]["key"].string == "value é")
        #expect(answer["files"]["file"].string == text)
        #expect(answer["files"]["stream"].string == text.replacing(" ", with: ""))
        #expect(answer["headers"]["Content-Length"].string == request.body?.count.map { "\($0)" })
    }
}
