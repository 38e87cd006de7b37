import Foundation
import MagpieConcurrency
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Content that is sent, with its progress.
@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    private let server: FaultServer
    private let api: HTTPSession
    private let reports = Recorder<HTTPProgress>()

    init() throws {
        server = try FaultServer { connection, request in
            try connection.respond("201 Created", text: "\(request.body.count)")
        }
        api = HTTPSession(baseURL: server.url("/v1/"))
    }

    @Test func dataGoesOutAsItIs() async throws {
        let data = TestBytes.pattern(count: 2_000_000)
        let fields: HTTPFields = [.contentType: "image/x-magpie"]
        let answer = try await api.upload(to: "photos/1", body: .bytes(data), method: .put, headerFields: fields)
        #expect(answer.status == 201)
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.target == "/v1/photos/1")
        #expect(request.body == data)
        #expect(request.field("Content-Type") == "image/x-magpie")
    }

    @Test func aFileGoesOutWithItsType() async throws {
        let folder = try TemporaryFolder()
        let data = TestBytes.pattern(count: 1_000_000)
        let file = try folder.write(data, to: "magpie.png")
        try await api.upload(to: "photos", file: file)
        try await api.upload(to: "photos", file: file, headerFields: [.contentType: "image/x-magpie"])
        #expect(server.requests.map(\.body) == [data, data])
        #expect(server.requests.map { $0.field("Content-Type") } == ["image/png", "image/x-magpie"])
        #expect(server.requests.map { $0.field("Content-Length") } == ["1000000", "1000000"])
    }

    @Test func aFormGoesOutInParts() async throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(Data("pixels".utf8), to: "magpie.jpg")
        try await api.upload(to: "photos") { form in
            form.append(file: photo, name: "photo")
            form.append("A magpie", name: "title")
        } progress: { [reports] in
            reports.record($0)
        }
        let request = try #require(server.requests.first)
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(request.method == "POST")
        #expect(request.field("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(text.contains("filename=\"magpie.jpg\"\r\nContent-Type: image/jpeg\r\n\r\npixels\r\n"))
        #expect(text.contains("name=\"title\"\r\n\r\nA magpie\r\n"))
        #expect(reports.elements.last?.fraction == 1)
    }

    @Test("AFNetworking 26: the progress of an upload reaches exactly 1")
    func progress() async throws {
        let data = Data(count: 3_000_000)
        try await api.upload(to: "data", body: .bytes(data)) { [reports] in reports.record($0) }
        let fractions = reports.elements.compactMap(\.fraction)
        #expect(fractions.last == 1)
        #expect(fractions == fractions.sorted())
        #expect(fractions.count > 2)
    }

    @Test func completionsAreCalledOnce() async throws {
        let results = Recorder<Result<HTTPDataResponse, HTTPError>>()
        let missing = URL(filePath: "/no/such/file")
        #expect(api.upload(to: "data", file: missing, completion: { results.record($0) }) == nil)
        guard case .failure(.unreadableBody) = try #require(results.elements.first) else {
            Issue.record("a file that is not there")
            return
        }
        let task = api.upload(to: "data", body: .bytes(Data("x".utf8)), completion: { results.record($0) })
        #expect(task != nil)
        #expect(try await results.elements(2)[1].get().text == "1")
        let form = api.upload(to: "data", form: { $0.append("x", name: "y") }, completion: { results.record($0) })
        #expect(form != nil)
        #expect(try await results.elements(3)[2].get().status == 201)
    }

    @Test func anErrorOfTheFormIsThrown() async throws {
        await #expect(throws: HTTPError.self) {
            try await api.upload(to: "data") { form in form.append(file: URL(filePath: "/no/such/file"), name: "x") }
        }
        #expect(server.requests.isEmpty)
    }
}
