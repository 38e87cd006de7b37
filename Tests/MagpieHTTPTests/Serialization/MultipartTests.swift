import Foundation
import MagpieHTTP
import MagpieTestSupport
import Testing

/// Forms of many parts.
@Suite(.timeLimit(.minutes(1)))
struct MultipartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ form: MultipartFormData) async throws -> String {
        let body = try form.body()
        let bytes = try await BodyPump.bytes(of: body, room: 11)
        if let count = body.count { #expect(count == Int64(bytes.count)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func partsStandBetweenBoundaries() async throws {
        var form = MultipartFormData(boundary: "B")
        form.append("A magpie", name: "title")
        form.append(data: Data([0x31]), name: "photo", fileName: "a.png")
        form.append(data: Data(), name: "empty", mimeType: "text/x-none")
        #expect(form.contentType == "multipart/form-data; boundary=B")
        #expect(
            try await text(form) == """
                --B\r
                Content-Disposition: form-data; name="title"\r
                \r
                A magpie\r
                --B\r
                Content-Disposition: form-data; name="photo"; filename="a.png"\r
                Content-Type: image/png\r
                \r
                1\r
                --B\r
                Content-Disposition: form-data; name="empty"\r
                Content-Type: text/x-none\r
                \r
                \r
                --B--\r

                """
        )
    }

    @Test func filesAndStreamsAreParts() async throws {
        var form = MultipartFormData(boundary: "B")
        form.append(file: try folder.write(Data("from disk".utf8), to: "note.txt"), name: "file")
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("from ".utf8))
            continuation.yield(Data("a stream".utf8))
            continuation.finish()
        }
        form.append(stream: .sequence(chunks, count: 13), name: "stream", fileName: "s", mimeType: "text/plain")
        form.append([.contentType: "application/json"], body: .bytes(Data("{}".utf8)))
        let body = try form.body()
        #expect(body.count != nil && !body.isRepeatable)
        let text = try await text(form)
        #expect(
            text == """
                --B\r
                Content-Disposition: form-data; name="file"; filename="note.txt"\r
                Content-Type: text/plain\r
                \r
                from disk\r
                --B\r
                Content-Disposition: form-data; name="stream"; filename="s"\r
                Content-Type: text/plain\r
                \r
                from a stream\r
                --B\r
                Content-Type: application/json\r
                \r
                {}\r
                --B--\r

                """
        )
    }

    @Test func aPreambleStandsAhead() async throws {
        var form = MultipartFormData(boundary: "B")
        form.preamble = Data("For old mailers".utf8)
        form.append("1", name: "a")
        #expect(try await text(form).hasPrefix("For old mailers\r\n--B\r\n"))
    }

    @Test func parametersAreParts() async throws {
        var form = MultipartFormData(boundary: "B")
        try form.append(["b": ["x": [1, .null]], "a": .data(Data("raw".utf8))])
        let text = try await text(form)
        let names = text.matches(of: /name="(.*?)"\r\n\r\n(.*?)\r\n/).map { "\($0.1)=\($0.2)" }
        #expect(names == ["a=raw", "b[x][]=1", "b[x][]="])
    }

    @Test func namesCannotEndTheirQuotes() async throws {
        var form = MultipartFormData(boundary: "B")
        form.append(data: Data(), name: "a\"\r\nX: y", fileName: "é\".\n\"")
        let text = try await text(form)
        #expect(text.contains(#"name="a%22%0D%0AX: y"; filename="é%22.%0A%22""# + "\r\n"))
    }

    @Test("AFNetworking 7: the type of a file is that of its extension")
    func typesOfFiles() async throws {
        let types = [
            "a.cer": "application/x-x509-ca-cert", "b.JPG": "image/jpeg", "c.tar.gz": "application/gzip",
            "d": "application/octet-stream", "e.": "application/octet-stream", ".json": "application/json",
            "f.unheard": "application/octet-stream",
        ]
        for (name, type) in types {
            var form = MultipartFormData()
            form.append(file: try folder.write(Data("x".utf8), to: name), name: "file")
            #expect(try await text(form).contains("Content-Type: \(type)\r\n"), "\(name)")
        }
    }

    @Test func boundaries() async throws {
        let boundary = MultipartFormData().boundary
        #expect(boundary.wholeMatch(of: /Boundary\+[0-9A-F]{16}/) != nil)
        #expect(boundary != MultipartFormData().boundary)
        #expect(MultipartFormData(boundary: "a b").contentType == "multipart/form-data; boundary=\"a b\"")
        for bad in ["", "a\r\nb", "ends ", "é", String(repeating: "x", count: 71)] {
            var form = MultipartFormData(boundary: bad)
            form.append("1", name: "a")
            #expect(throws: HTTPError.self) { try form.body() }
        }
    }

    @Test func aMissingFileIsToldWhenTheFormIsSent() {
        var form = MultipartFormData()
        form.append(file: folder.url.appending(path: "none"), name: "file")
        let error = #expect(throws: HTTPError.self) { try form.body() }
        #expect(error?.code == "unreadable-body")
    }

    @Test func thePartsSayWhetherTheLengthIsKnown() throws {
        var form = MultipartFormData()
        form.append("1", name: "a")
        #expect(try form.body().count != nil && form.body().isRepeatable)
        form.append(stream: .sequence(AsyncStream<Data> { nil }), name: "b")
        #expect(try form.body().count == nil)
    }

    @Test(arguments: [(2, "ended after 3 of 4"), (4, "more than the 2")])
    func aStreamOfAnotherLengthFails(excess: Int, words: String) async throws {
        let (promised, given) = excess == 2 ? (4, 3) : (2, 6)
        var form = MultipartFormData()
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data(repeating: 0x61, count: given))
            continuation.finish()
        }
        form.append(stream: .sequence(chunks, count: Int64(promised)), name: "a")
        form.append("after", name: "b")
        let error = await #expect(throws: HTTPError.self) { try await BodyPump.bytes(of: form.body()) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func anEmptyFormIsAPlainOne() throws {
        let url = try #require(URL(string: "http://host/"))
        let request = try MultipartFormData().serialize(into: HTTPRequest(method: .post, url: url))
        #expect(request.body?.data == Data())
        #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func aFormIsWrittenToAFileFirst() async throws {
        var form = MultipartFormData()
        form.append(file: try folder.write(TestBytes.pattern(count: 700_000), to: "file"), name: "file")
        let body = try await form.write(to: folder.url.appending(path: "form"))
        let formCount = try form.body().count
        #expect(body.count == formCount)
        let written = try await BodyPump.bytes(of: body)
        let direct = try await BodyPump.bytes(of: form.body())
        #expect(written == direct)
    }

    @Test("A file longer than any buffer goes through whole")
    func largeFilesGoThrough() async throws {
        let file = try folder.write(Data(), to: "sparse")
        #expect(truncate(file.path, 1 << 29) == 0)
        var form = MultipartFormData()
        form.append(file: file, name: "file")
        let body = try form.body()
        var count: Int64 = 0
        try await BodyPump.read(body, room: 256 << 10) { count += Int64($0.count) }
        #expect(count == body.count)
    }
}
